"""A batch job: its options and plan, the rows that it writes, and the protocol by which they are committed."""

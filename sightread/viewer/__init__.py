"""The viewer of reports and of the inspector: records, what builds them, and its assets."""

"""Built sites: the data set, and rendered pages of it."""

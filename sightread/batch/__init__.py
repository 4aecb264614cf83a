"""Many pages at once: outcomes in order of completion, in one browser or over processes, and their files."""

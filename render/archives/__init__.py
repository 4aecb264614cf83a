"""Stored pages with their files: folders, HAR, MHTML and WARC, and how they are served to a tab."""

"""Applications that answer requests: filled with documents, started, read page by page and stopped."""

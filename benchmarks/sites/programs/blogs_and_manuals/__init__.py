"""Programs that publish articles and manuals: blogs, documentation, books, wikis."""

"""Which pages of a site: URLs, robots, sitemaps, frontier, politeness, and the corpus on disk."""

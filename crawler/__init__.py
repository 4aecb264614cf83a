"""Which pages of a site: URLs, robots.txt, sitemaps, frontier, rate limit, and the corpus on disk."""

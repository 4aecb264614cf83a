"""The Firecrawl API, versions 1 and 2: scrape, map, crawl and batch scrape, with their webhooks."""

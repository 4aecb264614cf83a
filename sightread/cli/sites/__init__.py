"""Commands about learned sites: crawl, learn, label, train, evaluate, and the list of sites."""

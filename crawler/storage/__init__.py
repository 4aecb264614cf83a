"""A crawl on disk: the corpus, its page file, the journal, and the folder of a running crawl."""

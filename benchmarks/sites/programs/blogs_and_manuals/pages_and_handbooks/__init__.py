"""Recipes of blogs, news, wikis, company pages, papers, documentation, references and manuals: the ninth final part."""

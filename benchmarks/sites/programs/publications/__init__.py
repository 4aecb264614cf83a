"""Recipes of blogs, news, wikis, company pages, papers, help, documentation and manuals."""

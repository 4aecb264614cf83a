"""Recipes of blogs, wikis, laws, companies, books, papers, documentation, references and manuals: the tenth final part."""

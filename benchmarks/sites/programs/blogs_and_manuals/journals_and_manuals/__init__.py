"""Journals, references and manuals of the twelfth final part: blogs, news, a wiki, documentation, papers, releases, specifications."""

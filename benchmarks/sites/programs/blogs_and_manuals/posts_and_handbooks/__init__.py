"""Recipes of the eleventh final part: blogs, a newspaper, a wiki, a glossary, documentation, papers, a changelog and a manual."""

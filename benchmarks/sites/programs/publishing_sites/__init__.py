"""Blogs with readers' comments, magazines, galleries, wikis, CMS pages and landing pages."""

"""Parts of pages that are content or not on a whole site: comments, bylines, headlines, text that each page has once, navigation."""

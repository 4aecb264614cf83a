"""Parts of pages that are content or not on a whole site: comments, bylines, headlines, navigation, and what is decided of them."""

"""The start page and the page of the API: static files, which hold nothing of callers or pages."""

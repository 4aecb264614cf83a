"""Features and models that classify blocks as content or boilerplate; metrics and training."""

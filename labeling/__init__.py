"""Labels the blocks of a site as content or boilerplate without hand-made labels."""

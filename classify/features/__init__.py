"""Features of blocks that mean the same on every site, and their registry."""

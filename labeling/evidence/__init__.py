"""Evidence per block before anything is chosen: signatures, relevance, and all blocks of a site as one table."""

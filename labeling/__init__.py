"""Which blocks of a site are content, without a person: signatures, clusters, relevance, templates, confidence."""

"""Clustering of the blocks of a site by their look: DBSCAN, HDBSCAN, and what both share."""

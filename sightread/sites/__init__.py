"""Learned sites: their folders and versions, trust in their models, learning and refreshing."""

"""Learned sites: their folders and versions, how far their models are trusted, learning and refreshing."""

"""Models that read the DOM alone: they need no browser."""

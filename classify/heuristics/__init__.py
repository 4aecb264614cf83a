"""Models that read the DOM alone and need no training, or hardly any."""

"""Models that read the DOM alone and need little or no training."""

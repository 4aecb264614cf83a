"""Commands that read many pages: `extract` of several, and `batch`."""

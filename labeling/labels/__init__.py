"""The result of a labeler: `SiteLabels`, made from what it found, and stored beside the corpus."""

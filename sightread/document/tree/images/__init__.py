"""Images of a document: which of them are content, their descriptions and their largest size."""

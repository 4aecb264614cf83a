"""The document: which blocks of a page are kept, in which order and structure, with metadata, in several formats."""

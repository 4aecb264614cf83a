"""Text primitives: character normalisation, the tokeniser, page titles."""

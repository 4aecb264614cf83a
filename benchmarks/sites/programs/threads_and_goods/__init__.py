"""Forums, desks, shops and catalogues of the tenth final part."""

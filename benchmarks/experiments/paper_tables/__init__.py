"""Tables 2 to 8 of Zhou and Mashuq (2013) on the pages of its authors."""

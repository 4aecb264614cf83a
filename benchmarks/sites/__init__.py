"""Sites built on this machine from real themes and known text, so that the gold text of each page is exact."""

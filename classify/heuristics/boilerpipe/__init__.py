"""Boilerpipe (Kohlschütter, Fankhauser and Nejdl 2010): text blocks, shallow features, decision trees, filters."""

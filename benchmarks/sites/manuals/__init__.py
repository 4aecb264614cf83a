"""Manuals as Debian packages them, or as the usual programs convert packaged sources."""

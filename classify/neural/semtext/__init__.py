"""SemText (Zhang and Wang 2021)."""

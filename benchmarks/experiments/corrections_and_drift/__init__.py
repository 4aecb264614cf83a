"""Corrections by a person, and the detection of redesigns."""

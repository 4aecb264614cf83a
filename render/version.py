"""The version of sightread."""

VERSION = "0.1.0"

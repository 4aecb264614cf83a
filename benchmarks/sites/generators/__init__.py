"""Generators of static sites: the project that each one builds from documents."""

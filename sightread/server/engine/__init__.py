"""Reads pages for routes and jobs: the engine, render options of a request, answers of a reading, and the cache of answers."""

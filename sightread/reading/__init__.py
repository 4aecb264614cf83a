"""Reading of a page by a model, from a URL, HTML, a file or an archive, with a browser or without one."""

from sightread.reading.reading import Reading, apply_model, read_static

__all__ = ["Reading", "apply_model", "read_static"]

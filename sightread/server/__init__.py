"""The HTTP service and the inspector."""

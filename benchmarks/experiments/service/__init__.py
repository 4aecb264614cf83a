"""The HTTP service and the inspector: load, killed processes, speed."""

"""Programs whose processes are killed: what becomes of their work."""

"""The service under measurement: its processes, a local internet for its pages, and a PostgreSQL server."""

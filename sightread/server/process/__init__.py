"""The two processes of the service: the one that listens, and the worker that reads pages."""

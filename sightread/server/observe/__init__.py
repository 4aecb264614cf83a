"""Observability of the service: metrics and spans."""

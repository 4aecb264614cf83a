"""Schemas of the service: request models, answer records, and the messages about a body that does not fit its model."""

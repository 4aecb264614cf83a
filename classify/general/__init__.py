"""The global model for pages of unknown sites: network, page type, rendered pages as their DOM."""

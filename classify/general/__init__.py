"""The global model for pages of unknown sites: linear model, trees, network, page type, post-processing."""

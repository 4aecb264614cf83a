"""The models by name, and the choice of the model that reads a page."""

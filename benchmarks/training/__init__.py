"""Training of the models that ship."""

"""Training: data augmentation, training data, and the only importers of PyTorch."""

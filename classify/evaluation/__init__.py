"""Evaluation of models: metrics, folds and cross-validation."""

"""Models that read the DOM alone and need little or no training.

Every module here is a model that needs no file: it defines `MODEL`, a class or a function that makes the model, and is known by the
module's name with hyphens (`density_sum` is `density-sum`). That is all that it takes to add one.
"""

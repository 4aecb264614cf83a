"""Package data: the demo site, and the global model (`models`). It imports nothing of ours."""

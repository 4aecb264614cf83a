"""What ships beside the code: the demo site, and later the trained models. It imports nothing of ours."""

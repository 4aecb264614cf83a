"""The labeler alone: clusterings, confidence, and its cost on large sites."""

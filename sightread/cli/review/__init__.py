"""The commands that review decisions: `compare`, `explain` and `corrections`."""

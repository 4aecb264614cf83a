"""Commands about this machine: `setup`, `doctor` and `completion`."""

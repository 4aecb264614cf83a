"""Common parts of the experiments on batches: their input, the command as a program, the rows that it wrote, and a fake object store."""

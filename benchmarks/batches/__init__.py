"""What the experiments on batches share: their input, the command as a program, the rows that it wrote, and a fake object store."""

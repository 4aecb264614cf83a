"""The commands that listen, and those about what they listen with."""

"""Servers for one person on loopback: the inspector, with corrections, and the demo site."""

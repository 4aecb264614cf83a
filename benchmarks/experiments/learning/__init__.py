"""Learned sites end to end: labels, site models and trust, against gold text or gold labels."""

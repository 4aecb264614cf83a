"""Talks, offers, recipes and reviews of the eleventh final part."""

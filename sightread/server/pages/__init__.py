"""From request models to render options, from readings to answers, and the cache of answers."""

"""Jobs of the service: what is stored of them, and what performs them."""

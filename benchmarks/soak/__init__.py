"""The soak test: service, crawler and batch at once for minutes or hours, with their memory, and every page accounted for."""

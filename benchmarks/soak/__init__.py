"""The soak test: service, crawler and batch at once for as long as it is asked, with their memory, and every page accounted for."""

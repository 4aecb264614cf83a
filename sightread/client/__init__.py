"""The typed client of the service: `sightread.Client` and `sightread.AsyncClient`."""

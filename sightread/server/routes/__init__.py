"""Routes of the service: every module of this package, and of `sightread.server.compat`, defines `ROUTES`."""

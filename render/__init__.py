"""The `Page` record and everything that makes one: browser pool, collector, egress boundary, archives, static HTML."""

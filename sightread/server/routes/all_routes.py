"""All routes of the service, in the order in which they are matched, and the observers of the jobs of each API."""

from __future__ import annotations

from collections.abc import Mapping

from sightread.server.compat import reader_routes
from sightread.server.compat.firecrawl import routes as firecrawl
from sightread.server.mcp import routes as mcp
from sightread.server.routes import catalog, inspect, jobs, pages, start
from sightread.server.routes.table import Route
from sightread.server.service import JobObserver

MODULES = (pages, jobs, catalog, inspect, start, firecrawl, mcp, reader_routes)
"""Modules that define `ROUTES`; a pattern that fits any path is in the last one."""


def all_routes() -> tuple[Route, ...]:
    """Return all routes."""
    return tuple(route for module in MODULES for route in module.ROUTES)


def job_observers() -> Mapping[str, JobObserver]:
    """Return the observer of each origin of jobs that has one: `OBSERVERS` of the modules."""
    return {origin: observe for module in MODULES for origin, observe in getattr(module, "OBSERVERS", {}).items()}

"""One visit of a page: navigate, wait until the page is stable, collect blocks with boxes and styles, take a screenshot."""

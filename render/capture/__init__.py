"""On request: a page's HTML, response, network log, console messages and PDF; and requests that are blocked."""

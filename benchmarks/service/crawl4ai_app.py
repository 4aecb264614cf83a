"""A thin HTTP service over crawl4ai, for an interpreter that has it: `-m benchmarks.service.crawl4ai_app BROWSER PAGES_AT_ONCE`.

crawl4ai's own server is a folder of its repository (`deploy/docker`) that no package of a registry holds. This one answers as its
`POST /crawl` does, over one browser that stays open and with a bound of pages at once, as that has. It leaves out what that adds to each
request (authentication, rate limits, metrics, the parts of a result besides Markdown), so it has less to do.
"""

# ruff: noqa: PLC0415  (they are imported where they are installed)

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from benchmarks.extractors.engines import launch_always


def main(executable: str, pages_at_once: int) -> None:
    """Serve at a free port of this machine, which is printed, until the process is ended."""
    import uvicorn  # type: ignore[import-not-found]

    logging.disable(logging.WARNING)
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    application = app(executable, pages_at_once, listening.getsockname()[1])
    uvicorn.Server(uvicorn.Config(application, log_level="error", timeout_graceful_shutdown=1)).run(sockets=[listening])


def app(executable: str, pages_at_once: int, port: int) -> Any:
    """Return the application."""
    from crawl4ai import AsyncWebCrawler, BrowserConfig, CacheMode, CrawlerRunConfig, DefaultMarkdownGenerator  # type: ignore[import-not-found]
    from crawl4ai.content_filter_strategy_lxml import PruningContentFilterLXML  # type: ignore[import-not-found]
    from fastapi import Body, FastAPI  # type: ignore[import-not-found]

    launch_always(executable)
    crawler = AsyncWebCrawler(config=BrowserConfig(headless=True, verbose=False, viewport_width=1600, viewport_height=1000))
    turns = asyncio.Semaphore(pages_at_once)

    @asynccontextmanager
    async def opened(_app: Any) -> AsyncIterator[None]:
        async with crawler:
            print(f"serving at http://127.0.0.1:{port}", flush=True)
            yield

    application = FastAPI(lifespan=opened)

    async def read(url: str) -> dict[str, Any]:
        options = CrawlerRunConfig(
            cache_mode=CacheMode.BYPASS,
            delay_before_return_html=0,
            mean_delay=0,
            max_range=0,
            verbose=False,
            markdown_generator=DefaultMarkdownGenerator(content_filter=PruningContentFilterLXML()),
        )
        async with turns:
            result = await crawler.arun(url, config=options)
        markdown = result.markdown.fit_markdown or result.markdown.raw_markdown if result.success else ""
        return {"url": url, "success": result.success, "markdown": markdown, "metadata": result.metadata, "error": result.error_message}

    @application.post("/crawl")  # type: ignore[untyped-decorator]
    async def crawl(urls: list[str] = Body(embed=True)) -> dict[str, Any]:  # noqa: B008  (as FastAPI has it)
        return {"success": True, "results": await asyncio.gather(*(read(url) for url in urls))}

    return application


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

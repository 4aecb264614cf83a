"""The official client of the Model Context Protocol, over HTTP and over standard input and output."""

import json
import os
import re
import sys

import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

SERVICE, SITE, TOKEN = (os.environ[name] for name in ("SERVICE", "SITE", "TOKEN"))
LOCAL = """
import sys
from sightread.cli import parser, servers
from tests.internet import Internet

servers.egress = lambda options: Internet().egress()
sys.exit(parser.main(["mcp", "--tabs", "2"]))
"""


def text(result):
    (part,) = result.content
    return part.text


async def check(client):
    """Use every tool."""
    assert client.server_info.name == "sightread"
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"read_url", "map_site", "crawl_site"} and tools["read_url"].input_schema["required"] == ["url"]
    whole = text(await client.call_tool("read_url", {"url": f"{SITE}/long"}))
    assert whole.startswith(f"Title: A long report\nURL: {SITE}/long\n\nPart 1 of 3. Next: read_url with page=2.\n\nHeadings:\n")
    assert "- A long report (part 1)\n  - Chapter 1 (part 1)" in whole and "- Chapter 30 (part 3)" in whole
    last = text(await client.call_tool("read_url", {"url": f"{SITE}/long", "page": 3}))
    assert last.startswith(f"{SITE}/long\nPart 3 of 3.\n\n## Chapter") and "## Chapter 30" in last
    missing = await client.call_tool("read_url", {"url": f"{SITE}/long", "page": 4})
    assert missing.is_error and "has 3 parts" in text(missing)
    lines = text(await client.call_tool("read_url", {"url": f"{SITE}/long", "chunk_tokens": 400, "page": 2})).split("\n")
    chunks = [json.loads(line) for line in lines[2:]]
    assert lines[1].startswith("Part 2 of ") and chunks[0]["headings"] == ["A long report"] and chunks[0]["text"].startswith("## Chapter")
    first = text(await client.call_tool("read_url", {"url": f"{SITE}/long", "citations": True}))
    count = int(re.search(r"Part 1 of (\d+)", first)[1])
    cited = text(await client.call_tool("read_url", {"url": f"{SITE}/long", "citations": True, "page": count}))
    assert (mark := re.search(r"## Chapter 30 (\[\^s\d+\])\n", cited)) and f"\n{mark[1]}: <{SITE}/long#:~:text=Chapter%2030>" in cited
    assert "[^s1]" not in cited and "\n- A long report (part 1)" not in cited
    lines = text(await client.call_tool("read_url", {"url": f"{SITE}/long", "chunk_tokens": 400, "citations": True})).split("\n")
    assert json.loads(lines[2])["spans"][0]["text"] == "A long report"
    failed = await client.call_tool("read_url", {"url": f"{SITE}/gone"})
    assert failed.is_error and text(failed).startswith("Unusable: ") and "404" in text(failed)
    assert f"{SITE}/story/4" in text(await client.call_tool("map_site", {"url": SITE, "limit": 20}))
    pages = text(await client.call_tool("crawl_site", {"url": SITE, "pages": 2, "include": "/story/*"}))
    assert pages.startswith(f"2 pages of {SITE}") and pages.count("Title: Story") == 2


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_http(mode):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http:
        transport = streamable_http_client(f"{SERVICE}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
            if mode == "legacy":
                await check(client)
            else:
                assert "Story 1" in text(await client.call_tool("read_url", {"url": f"{SITE}/story/1"}))


async def test_over_standard_input_and_output():
    server = StdioServerParameters(command=os.environ["PYTHON"], args=["-c", LOCAL], env=dict(os.environ))
    async with Client(stdio_client(server, errlog=sys.stderr)) as client:
        assert len((await client.list_tools()).tools) == 3
        read = text(await client.call_tool("read_url", {"url": f"{SITE}/story/2"}))
        assert "The lead of story 2." in read and "Warning: " not in read  # that the site was never learned is none
        failed = await client.call_tool("read_url", {"url": "http://127.0.0.1/"})
        assert failed.is_error and "127.0.0.1" in text(failed)

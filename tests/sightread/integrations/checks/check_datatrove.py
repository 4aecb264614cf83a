"""The extractor with the real datatrove: its local executor, URLs, errors, and a start longer than its default deadline."""

import json

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

import sightread
from sightread.integrations.datatrove import SightreadExtractor

STORY = "The lighthouse at the end of the pier was painted green last summer, and no one in the town knew who had done it. "
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title></head><body><nav><a href="/">Home</a></nav><article>
<h1>The green lighthouse</h1><p>{STORY * 3}</p><p>{STORY * 3} <a href="more">More</a></p></article></body></html>"""


def test_a_pipeline_extracts_what_extract_does(tmp_path):
    pages = [(PAGE.replace("green", colour), f"https://{colour}.example/pier/") for colour in ("green", "red", "blue")]
    pages.insert(1, ("\x89PNG" + "\x01" * 200, "https://picture.example/"))
    (tmp_path / "in").mkdir()
    lines = [json.dumps({"text": html, "id": url, "metadata": {"url": url}}) for html, url in pages]
    (tmp_path / "in" / "pages.jsonl").write_text("\n".join(lines))
    steps = [
        JsonlReader(str(tmp_path / "in"), text_key="text"),
        SightreadExtractor(),
        JsonlWriter(str(tmp_path / "out"), "${rank}.jsonl", compression=None),
    ]
    LocalPipelineExecutor(steps, logging_dir=str(tmp_path / "log")).run()
    found = {row["id"]: row["text"] for row in map(json.loads, (tmp_path / "out" / "00000.jsonl").read_text().splitlines())}
    expected = {url: sightread.extract(html, url, output_format="markdown") for html, url in pages if "lighthouse" in html}
    assert found == expected and "https://red.example/pier/more" in found["https://red.example/pier/"]

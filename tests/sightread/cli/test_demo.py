"""The bundled demo site, served, and learned by the command that a new user tries first."""

from pathlib import Path

import aiohttp

from sightread.crawler.corpus import Corpus
from sightread.data.demo import HELD_OUT, ODD_PAGES, article_paths
from sightread.server.http import serve_demo
from tests.pages.reports import report_data


async def test_it_answers_as_a_web_server_does():
    async with serve_demo() as url, aiohttp.ClientSession(url) as client:
        assert url.startswith("http://127.0.0.1:") and url.endswith("/")
        for path in ("/", "/en/", article_paths()[0], HELD_OUT[0], "/static/base.css"):
            async with client.get(path) as answer:
                assert (answer.status, (await answer.text())[:9] in ("<!DOCTYPE", "/* The lo")) == (200, not path.endswith("css")), path
        async with client.get(ODD_PAGES["missing"]) as answer:
            assert (answer.status, answer.content_type) == (404, "text/plain")
        async with client.get(ODD_PAGES["redirect"]) as answer:
            assert answer.url.path in article_paths()
        async with client.get("/sitemap.xml") as answer:
            assert url + article_paths()[0].lstrip("/") in await answer.text()


def test_the_command_learns_it_and_ends_with_the_path_of_the_report(sightread, tmp_path):
    ran = sightread("demo", "--port", 0, "--pages", 8, "--no-pictures")
    assert ran.code == 0, ran
    reported = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert (reported["pages"], reported["trusted"]) == ("8", "True")
    assert list(reported)[-1] == "report"
    report = Path(reported["report"])
    assert report.is_relative_to(tmp_path / "home" / "sites")
    assert sum(name.startswith("page-") for name in report_data(report)) == 8
    assert len(Corpus.open(report.parent)) == len(list(Path(reported["articles"]).glob("*.md"))) == 8
    assert ran.err.splitlines()[-1] == "writing the report …"

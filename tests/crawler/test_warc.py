"""Files of a crawl's answers: the next one after so many bytes, and what a commit did not reach is cut off."""

import pytest

from sightread.crawler.warc import ReplayedFetcher, WarcWriter
from sightread.render.archives.cdxj import WarcFolder
from sightread.render.errors import Rejected
from sightread.render.network.exchange import Exchange


def answer(number: int, status: int = 200) -> Exchange:
    return Exchange(f"http://e.com/{number}", 0.0, (), status, "", (("Content-Type", "text/html"),), b"<p>%d %d" % (number, status))


def files(folder) -> list[str]:
    return sorted(path.name.rpartition("-")[2] for path in folder.iterdir())


async def test_files_follow_one_another_and_are_cut_back_together(tmp_path, monkeypatch):
    monkeypatch.setattr("sightread.crawler.warc.MOST_BYTES", 2000)
    with WarcWriter(tmp_path) as writer:
        writer.begin("e.com:80", "")
        writer.write([answer(1, 503)])
        end = writer.end()
        for number in range(1, 9):
            writer.write([answer(number)])
        with pytest.raises(Rejected, match="another process is writing it"), WarcWriter(tmp_path) as other:
            other.begin("e.com:80", end)
    assert files(tmp_path) == [f"0000{number}.{kind}" for number in (1, 2, 3) for kind in ("cdxj", "warc.gz")]
    with WarcWriter(tmp_path) as writer:
        writer.begin("e.com:80", end)
        assert (writer.end(), files(tmp_path)) == (end, ["00001.cdxj", "00001.warc.gz"])
        writer.write([answer(1), answer(2)])
    async with ReplayedFetcher(WarcFolder(tmp_path)) as fetcher:
        answers = [(await fetcher.request(f"http://e.com/{number}", {})).body for number in (1, 1, 2)]
    assert answers == [b"<p>1 503", b"<p>1 200", b"<p>2 200"]
    assert WarcFolder(tmp_path).find("http://e.com/3") is None

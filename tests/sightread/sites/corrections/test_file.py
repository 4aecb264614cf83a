"""`corrections.json`: damage, diffs, and a kill at any moment."""

import difflib
import signal
import subprocess
import sys
import time

import pytest

from sightread.render.errors import BadRecord
from sightread.sites.corrections.records import (
    NO_CORRECTIONS,
    Anchor,
    Correction,
    Corrections,
    decode_corrections,
    encode_corrections,
    load_corrections,
    save_corrections,
)

WRITER = """
import sys
from pathlib import Path
from sightread.sites.corrections.records import load_corrections, save_corrections
from sightread.sites.corrections.records import Anchor, Correction
path = Path(sys.argv[1])
for number in range(100_000):
    save_corrections(path, load_corrections(path).with_answer(Correction(True, "look", Anchor(f"body > p .n{number}"))))
    print(number, flush=True)
"""


def correction(number, *, is_content=True):
    return Correction(is_content, "look", Anchor(f"body > p .n{number}", sample=f"text {number}"), by="ada")


def test_a_new_answer_adds_lines_to_a_diff_and_changes_none():
    old, new = (encode_corrections(Corrections(tuple(correction(n) for n in range(count)))).decode().splitlines() for count in (3, 4))
    removed = [line for line in difflib.ndiff(old, new) if line.startswith("- ")]
    assert len(new) > len(old) and all(line.strip("- ") == "}" for line in removed)
    assert '    "sample": "text 3"' in new


def test_a_kill_loses_no_answer(tmp_path):
    path = tmp_path / "corrections.json"
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as writer:
        seen = [writer.stdout.readline() for _ in range(20)]
        time.sleep(0.01)
        writer.send_signal(signal.SIGKILL)
        seen += writer.stdout.readlines()
    confirmed = max(int(line) for line in seen if line.endswith("\n"))
    kept = load_corrections(path).made
    assert len(kept) in (confirmed + 1, confirmed + 2)
    assert [each.anchor.path for each in kept] == [f"body > p .n{number}" for number in range(len(kept))]


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b'{"schema": 1, "corrections": [{}]}', b'{"schema": 9, "corrections": []}'])
def test_a_damaged_file_is_refused_with_its_name(tmp_path, data):
    (tmp_path / "corrections.json").write_bytes(data)
    with pytest.raises(BadRecord, match=r"corrections\.json: .*(restore|update)"):
        load_corrections(tmp_path / "corrections.json")


def test_what_is_written_is_read_back(tmp_path):
    stored = Corrections((correction(1),), (correction(2, is_content=False),))
    save_corrections(tmp_path / "deep" / "corrections.json", stored)
    assert load_corrections(tmp_path / "deep" / "corrections.json") == stored
    assert load_corrections(tmp_path / "none.json") is not stored and load_corrections(tmp_path / "none.json") == NO_CORRECTIONS
    assert decode_corrections(encode_corrections(stored), "x") == stored

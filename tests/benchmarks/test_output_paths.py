"""Where nothing can be written a command says so before it works."""

from pathlib import Path

import pytest

from benchmarks.__main__ import main


def refusal(arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.argv", ["benchmarks", *arguments, "--data", "/nowhere"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("command", ["train-global", "gold", "scale"])
def test_a_folder_that_is_a_file_is_refused(command, tmp_path: Path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    for name in ("file", "file/further"):
        reported = refusal([*command.split(), "--out", str(tmp_path / name)], capsys, monkeypatch)
        assert "choose another folder" in reported
        assert str(tmp_path / name) in reported


@pytest.mark.parametrize("command", ["train-neural web2text", "train-boilerpipe"])
def test_a_file_that_is_a_folder_is_refused(command, tmp_path: Path, capsys, monkeypatch):
    assert "it is a folder: name a file in it" in refusal([*command.split(), "--out", str(tmp_path)], capsys, monkeypatch)
    (tmp_path / "file").write_text("")
    assert "choose another folder" in refusal([*command.split(), "--out", str(tmp_path / "file" / "model.npz")], capsys, monkeypatch)


def test_what_can_be_written_is_not_touched_and_its_folder_is_made(tmp_path: Path, capsys, monkeypatch):
    (tmp_path / "model.npz").write_text("former")
    for path in (tmp_path / "model.npz", tmp_path / "new" / "model.npz"):
        monkeypatch.setattr("sys.argv", ["benchmarks", "train-neural", "web2text", "--data", str(tmp_path / "nowhere"), "--out", str(path)])
        assert main() != 0
        assert "nowhere" in capsys.readouterr().err
    assert (tmp_path / "model.npz").read_text() == "former"
    assert (tmp_path / "new").is_dir()

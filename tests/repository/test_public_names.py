"""What `import sightread` promises."""

import subprocess
import sys

import pytest

import sightread
from sightread.render import errors

PROMISED = [
    "Access",
    "AsyncClient",
    "BadRecord",
    "Block",
    "Blocking",
    "BrowserFailed",
    "Capture",
    "CaptureOptions",
    "Chunk",
    "Click",
    "Client",
    "ConditionNotMet",
    "Device",
    "Document",
    "Egress",
    "NoBrowser",
    "NotTrusted",
    "Note",
    "Outcome",
    "Page",
    "PageFailed",
    "PlainText",
    "Press",
    "Private",
    "RateLimit",
    "Reader",
    "Reading",
    "Rejected",
    "RenderOptions",
    "Retryable",
    "ScrollTo",
    "Session",
    "SightreadError",
    "StorageFailed",
    "TimedOut",
    "TypeText",
    "Unequipped",
    "UnknownModel",
    "Unusable",
    "Unwritable",
    "Upstream",
    "WaitFor",
    "Walled",
    "WrongCall",
    "extract",
    "extract_file",
    "extract_many",
    "extract_text",
    "read",
    "to_dataframe",
]
SLOW = ("numpy", "playwright", "sklearn", "pandas", "selectolax")


def modules_after(statements: str) -> set[str]:
    """The modules that a fresh Python has loaded after the statements."""
    code = f"{statements}\nimport sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_public_names_are_exactly_those_promised():
    assert sightread.__all__ == PROMISED


def test_dir_shows_the_public_names():
    assert dir(sightread) == PROMISED


def test_every_error_that_can_surface_is_public():
    tree = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, errors.SightreadError)}
    assert tree <= set(PROMISED)


@pytest.mark.parametrize("name", PROMISED)
def test_every_public_name_is_there_and_goes_by_its_name(name):
    assert getattr(sightread, name).__name__ == name


def test_any_other_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'sightread' has no attribute 'extrakt'"):
        sightread.extrakt  # noqa: B018


def test_every_public_error_is_one_of_the_tree():
    errors = [value for name in PROMISED if isinstance(value := getattr(sightread, name), type) and issubclass(value, Exception)]
    assert len(errors) == 18
    assert all(issubclass(error, sightread.SightreadError) for error in errors)


def test_importing_it_loads_nothing_slow():
    assert modules_after("import sightread").isdisjoint(SLOW)


def test_the_help_of_the_command_line_loads_nothing_slow():
    assert modules_after("from sightread.cli.parser import build_parser; build_parser().format_help()").isdisjoint(SLOW)


def test_extracting_without_a_browser_loads_no_browser():
    loaded = modules_after("import sightread; sightread.extract('<p>Text')")
    assert "selectolax" in loaded
    slow = {
        "playwright",
        "pandas",
        "sklearn",
        "sightread.document.formats.tei",
        "sightread.integrations",
        "sightread.sites.store",
        "rapidfuzz",
    }
    assert loaded.isdisjoint(slow)


def test_a_command_without_a_browser_loads_none(tmp_path):
    """With what takes long to load beside it: the client of HTTP, the progress bar, and the metadata of packages."""
    (tmp_path / "page.html").write_text("<p>The ferry runs all night.")
    program = f"from sightread.cli.parser import main; main(['extract', {str(tmp_path / 'page.html')!r}, '--static'])"
    slow = {"playwright", "aiohttp", "rich.progress", "pandas", "sklearn", "lxml", "importlib.metadata", "sightread.viewer"}
    assert (loaded := modules_after(program)).isdisjoint(slow) and "sightread.cli.stored" in loaded

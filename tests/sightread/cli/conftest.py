"""A stored page, which most commands can read."""

import pytest

from tests.pages.stories import ARTICLE


@pytest.fixture
def page(tmp_path):
    """An HTML file with one article."""
    path = tmp_path / "page.html"
    path.write_text(ARTICLE)
    return path

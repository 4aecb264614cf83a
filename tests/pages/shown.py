"""What a page shows."""

from sightread.render.page import Page


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]

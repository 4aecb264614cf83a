"""What a page shows."""

from render.page import Page


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]

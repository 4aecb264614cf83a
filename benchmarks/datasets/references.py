"""Reference labels of the original authors' seven sites, by each site's own containers: rules written and checked by eye.

A block is content if its selector path matches one of the site's `article` patterns and none of its `furniture` patterns, which name
what the sites put into the same containers: related stories, players, promotions, buttons, lists of what the page holds.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page


class Rules(NamedTuple):
    """Patterns over selector paths; `furniture` wins."""

    article: str
    boilerplate: str = r"$^"


REFERENCES = {
    "npr": Rules(r"div#storytext|div\.storytitle/h1|div\.correction/", r"con1col|internallink|enlargebtn"),
    "prothomalo": Rules(r"jw_detail_content_holder|h1\.mb10\.title"),
    "qq": Rules(r"div#Cnt-Main-Article-QQ|div#C-Main-Article-QQ/div\.hd/h1", r"#rel(Video|Info)|#listvideo|list_box|tjvideo|relativeVideo"),
    "sina": Rules(r"div#artibody|h1#artibodyTitle", r"#artibody[^/]*/div$|div\.show_author|artical-player"),
    "techcrunch": Rules(r"article-entry\.text|article-header\.page-title/h1", r"video-container|social-list"),
    "theverge": Rules(
        r"article-body|entry-content|div\.snippet|entry-summary|header/h1#stream_title|h2\.subheadline",
        r"sourcelist|gallery|chorus-video|entry-unrelated|\.IN-(widget|top)|#li_ui_",
    ),
    "usatoday": Rules(r"div\.article-body|article\.asset[^/]*/h1|h2\.lead-in|p\.video-desc", r"galleries|gallery-viewport|slide-nav"),
}


def reference_labels(site: str, page: Page) -> NDArray[np.int8]:
    """Return 1 for each block that the site's rules call content, else 0."""
    rules, paths = REFERENCES[site], page.selector_paths()
    found = [
        re.search(rules.article, paths[block.element]) and not re.search(rules.boilerplate, paths[block.element]) for block in page.blocks
    ]
    return np.array([bool(each) for each in found], np.int8)

"""The parts of the built sites: generators divide them, so that no part has a look that another one learns from.

`part_of` alone gives the part of a site: what a site was built as does not count.
"""

from __future__ import annotations

PARTS = {
    "choose": (
        *("sphinx", "mkdocs", "drawn", "doxygen", "javadoc", "gtk-doc", "rdoc"),
        *("pelican", "vitepress", "rspress", "honkit", "docusaurus", "jekyll", "docbook", "boostbook", "haddock", "xfpt"),
    ),
    "calibrate": (
        *("hexo", "template", "latex2html", "scribble", "sqlite", "qdoc"),
        *("nikola", "ikiwiki", "asciidoctor", "texinfo", "texinfo-manual", "erl-docgen", "gi-docgen"),
    ),
    "final": (
        *("node-doc", "pldoc", "arm-formatter", "tomcat-xslt", "grass-mkhtml", "fpdoc", "pydoctor"),
        *("starlight", "typedoc", "jsdoc", "tiddlywiki", "mediawiki", "dokuwiki", "zim"),
        *("blag", "lektor", "wintersmith", "chronicle", "staticsite", "mezzanine", "machina", "oscar"),
    ),
}
"""Generators of each part: what chooses and trains, what calibrates confidence, and what is scored once at the end.

Those in the second line of the first two parts were the final part until it had been scored three times.
"""


def part_of(generator: str) -> str:
    """Return the part that a generator's sites belong to. Raises `KeyError` if no part has it."""
    for part, generators in PARTS.items():
        if generator in generators:
            return part
    raise KeyError(generator)

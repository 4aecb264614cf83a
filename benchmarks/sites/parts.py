"""The parts of the built sites: generators divide them, so that no part has a look that another one learns from.

`part_of` alone gives the part of a site: what a site was built as does not count.
"""

from __future__ import annotations

PARTS = {
    "choose": (
        *("sphinx", "mkdocs", "drawn", "doxygen", "javadoc", "gtk-doc", "rdoc"),
        *("pelican", "vitepress", "rspress", "honkit", "docusaurus", "jekyll", "docbook", "boostbook", "haddock", "xfpt"),
        *(
            "arm-formatter",
            "chronicle",
            "fpdoc",
            "jsdoc",
            "machina",
            "mezzanine",
            "oscar",
            "pydoctor",
            "staticsite",
            "tomcat-xslt",
            "wintersmith",
        ),
    ),
    "calibrate": (
        *("hexo", "template", "latex2html", "scribble", "sqlite", "qdoc"),
        *("nikola", "ikiwiki", "asciidoctor", "texinfo", "texinfo-manual", "erl-docgen", "gi-docgen"),
        *("blag", "dokuwiki", "grass-mkhtml", "lektor", "mediawiki", "node-doc", "pldoc", "starlight", "tiddlywiki", "typedoc", "zim"),
    ),
    "final": (
        *("rustdoc", "pod2html", "yelp", "mandoc", "yard", "rd2html", "godoc", "odoc", "libreoffice-help", "gapdoc"),
        *("docutils", "asciidoc-py", "org-mode", "latexml", "xml2rfc", "nbconvert", "pdoc", "vuepress"),
        *("wordpress", "ghost", "trac", "roundup", "mhonarc", "fossil", "spirit", "puput"),
    ),
    "third": (*("bookdown", "pkgdown", "ford", "ldoc", "compodoc", "documentation", "esdoc", "nextra", "redocly"),),
}
"""Generators of each part: what chooses and trains, what calibrates confidence, and what is scored once at the end.

Generators in the second and third lines of the first two parts were final parts until these had been scored three times: those of the third
line, by name, went to one part and the other in turn.
"""


def part_of(generator: str) -> str:
    """Return the part that a generator's sites belong to. Raises `KeyError` if no part has it."""
    for part, generators in PARTS.items():
        if generator in generators:
            return part
    raise KeyError(generator)

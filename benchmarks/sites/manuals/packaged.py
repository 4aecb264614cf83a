"""Manuals as Debian packages them: real pages, whose gold is the text of the content container, by a rule per generator.

Not among them, since they are kept for an outside check: the manuals of Python, Apache, PostgreSQL, Git, GIMP, Django, Rust's book,
cppreference, Debian's handbook and reference.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import lxml.html

from render.errors import Rejected

LEAST_TEXT = 400
"""Characters of a page's gold: pages with less are redirections and indexes."""
MOST_TEXT = 60_000
"""Characters: longer pages are whole manuals on a page."""
_LINES = frozenset(("p", "div", "li", "dt", "dd", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "table", "section", "br", "blockquote"))


@dataclass(frozen=True, slots=True)
class Manual:
    """A packaged manual."""

    name: str
    generator: str
    package: str
    """Of Debian."""
    folder: str
    pages: str
    """Pattern of the pages below the folder."""
    keep: str
    """XPath of the content."""
    drop: str = ""
    """XPath of elements inside it that are not content, and of those that are collapsed until a click: gold is what a reader sees."""
    licence: str = "see the package"

    @property
    def site(self) -> str:
        """The name of the site."""
        return f"{self.generator}-{self.name}"


def _has(name: str) -> str:
    return f"contains(concat(' ', @class, ' '), ' {name} ')"


_DOC = "/usr/share/doc"
MANUALS = (
    Manual(
        "erlang",
        "erl-docgen",
        "erlang-doc",
        f"{_DOC}/erlang-doc",
        "lib/*/doc/html/*.html",
        "//*[@id='content']",
        f".//div[{_has('footer')}]",
    ),
    Manual(
        "racket",
        "scribble",
        "racket-doc",
        f"{_DOC}/racket",
        "guide/*.html",
        f"//div[{_has('main')}]",
        f".//*[{_has('navsettop')} or {_has('navsetbottom')} or {_has('versionbox')}]",
    ),
    Manual(
        "ghc",
        "haddock",
        "ghc-doc",
        f"{_DOC}/ghc-doc/html/libraries",
        "*/*.html",
        "//div[@id='content']",
        f".//*[@id='table-of-contents' or @id='synopsis'] | .//table[{_has('info')}] | .//details[not(@open)]/*[not(self::summary)]",
    ),
    Manual("octave", "texinfo-manual", "octave-doc", f"{_DOC}/octave/octave.html", "*.html", "//body", f".//div[{_has('header')}]"),
    Manual("maxima", "texinfo-manual", "maxima-doc", f"{_DOC}/maxima-doc/html", "*.html", "//body", f".//div[{_has('header')}]"),
    Manual("cmake", "sphinx", "cmake-doc", f"{_DOC}/cmake-data/html", "module/*.html", f"//div[{_has('body')}]"),
    Manual("gnuplot", "latex2html", "gnuplot-doc", f"{_DOC}/gnuplot/htmldocs", "*.html", "//body", f".//div[{_has('navigation')}]"),
    Manual("sqlite", "sqlite", "sqlite3-doc", f"{_DOC}/sqlite3", "*.html", "//body", f".//div[{_has('nosearch')} or {_has('mobileonly')}]"),
    Manual("exim", "xfpt", "exim4-doc-html", f"{_DOC}/exim4-doc-html/spec_html", "ch*.html", f"//div[@id='chapter' or {_has('chapter')}]"),
    Manual(
        "commons-math",
        "javadoc",
        "libcommons-math3-java-doc",
        f"{_DOC}/libcommons-math3-java/api",
        "org/apache/commons/math3/*/*.html",
        f"//div[{_has('header')}] | //div[{_has('contentContainer')}]",
    ),
    Manual(
        "pango",
        "gi-docgen",
        "libpango1.0-doc",
        f"{_DOC}/libpango1.0-doc/reference/Pango",
        "*.*.html",
        "//section[@id='main']",
        f".//div[{_has('default-hide')}]//div[{_has('docblock')}]",
    ),
    Manual(
        "glib",
        "gtk-doc",
        "libglib2.0-doc",
        "/usr/share/gtk-doc/html/glib",
        "*.html",
        "//body",
        f".//table[{_has('navigation')}] | .//div[{_has('footer')}]",
    ),
    Manual(
        "qtcore",
        "qdoc",
        "qtbase5-doc-html",
        "/usr/share/qt5/doc/qtcore",
        "q*.html",
        f"//div[{_has('mainContent')}]",
        f".//div[{_has('sidebar')}]",
    ),
    Manual(
        "eigen",
        "doxygen",
        "libeigen3-doc",
        f"{_DOC}/libeigen3-dev/html",
        "*.html",
        f"//div[@id='doc-content']/div[{_has('header')} or {_has('contents')}]",
        f".//div[{_has('toc')} or {_has('summary')} or {_has('dynheader')} or {_has('dyncontent')} or {_has('ttc')}]"
        f" | .//tr[{_has('inherit')}]",
    ),
    Manual(
        "boost",
        "boostbook",
        "libboost1.74-doc",
        f"{_DOC}/libboost1.74-doc/doc/html",
        "*/*.html",
        f"//div[{_has('section')} or {_has('chapter')} or {_has('refentry')}][1]",
        f".//div[{_has('toc')} or {_has('copyright-footer')} or {_has('spirit-nav')}]",
    ),
    Manual("asciidoctor-api", "rdoc", "asciidoctor-doc", f"{_DOC}/asciidoctor-doc/html/Asciidoctor", "**/*.html", "//main"),
    Manual(
        "nodejs",
        "node-doc",
        "nodejs-doc",
        f"{_DOC}/nodejs/api",
        "*.html",
        "//div[@id='apicontent']",
        f".//a[{_has('mark')}] | .//details[not(@open)]/*[not(self::summary)]",
    ),
    Manual(
        "swi-prolog",
        "pldoc",
        "swi-prolog-doc",
        "/usr/share/swi-prolog/doc/Manual",
        "*.html",
        "//body",
        f".//div[{_has('navigate')}] | .//span[{_has('fn-text')}]",
    ),
    Manual(
        "ada",
        "arm-formatter",
        "ada-reference-manual-2012",
        f"{_DOC}/ada-reference-manual-2012/aarm2012.html",
        "aa-*.html",
        "//body",
        "./div[.//a[contains(., 'Legal')]] | ./div[.//img]",
    ),
    Manual(
        "tomcat",
        "tomcat-xslt",
        "tomcat10-docs",
        "/usr/share/tomcat10-docs/docs",
        "*/*.html",
        "//div[@id='mainRight']",
        f".//h3[@id='Table_of_Contents'] | .//h3[@id='Table_of_Contents']/following-sibling::div[1] | .//div[{_has('noprint')}]",
    ),
    Manual(
        "grass",
        "grass-mkhtml",
        "grass-doc",
        f"{_DOC}/grass-doc/html",
        "*.html",
        "//div[@id='container']",
        f"./div[{_has('toc')}] | ./hr[last()]/following-sibling::p",
    ),
    Manual(
        "free-pascal",
        "fpdoc",
        "fp-docs-3.2.2",
        f"{_DOC}/fp-docs/3.2.2",
        "[fr]*/*/*.html",
        "//body[.//h2]",
        f".//table[{_has('bar')}] | ./p[starts-with(., '[')]",
    ),
    Manual(
        "twisted",
        "pydoctor",
        "twisted-doc",
        f"{_DOC}/twisted-doc/html/api",
        "twisted.*.html",
        "//div[@id='main']",
        ".//*[@id='search-results-container' or @id='current-docs-container' or @id='showPrivate']"
        f" | .//*[{_has('private')} or {_has('sourceLink')} or {_has('headerLink')}]",
    ),
)


def manual_pages(manual: Manual, count: int) -> list[tuple[str, str, str]]:
    """Return address, title and gold text of pages in the order of their names' digests. Raises `Rejected` if the package is missing."""
    folder = Path(manual.folder)
    if not folder.is_dir():
        raise Rejected(f"needs Debian's documentation: apt-get install {manual.package}")
    files = sorted(folder.glob(manual.pages), key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest())
    found: list[tuple[str, str, str]] = []
    for path in files:
        title, gold = _gold(path, manual)
        if LEAST_TEXT <= len(gold) <= MOST_TEXT:
            found.append((str(path.relative_to(folder)), title, gold))
        if len(found) == count:
            return found
    raise Rejected(f"{len(found)} pages with text, wanted {count}")


def manual_markup(path: Path, manual: Manual) -> str:
    """Return the HTML of the content of a page."""
    return "".join(lxml.html.tostring(part, encoding="unicode", with_tail=False) for part in _content(path, manual)[1])


def _gold(path: Path, manual: Manual) -> tuple[str, str]:
    title, parts = _content(path, manual)
    return title, "\n".join(filter(None, (line for part in parts for line in _lines(part))))


def _content(path: Path, manual: Manual) -> tuple[str, list[lxml.html.HtmlElement]]:
    """Return the title of a page and the elements that hold its content, without what the rule drops."""
    try:
        tree = lxml.html.document_fromstring(path.read_bytes())
    except (lxml.etree.ParserError, ValueError):
        return "", []
    parts = [found for found in tree.xpath(manual.keep) if not any(above in tree.xpath(manual.keep) for above in found.iterancestors())]
    for part in parts:
        for other in part.xpath(f"{manual.drop or './/script'} | .//script | .//style | .//noscript"):
            other.drop_tree()
    title = tree.findtext(".//title") or ""
    return " ".join(title.split()), parts


def _lines(element: lxml.html.HtmlElement) -> list[str]:
    """Return the text with a line per block, in document order."""
    pieces: list[str] = []

    def walk(node: lxml.html.HtmlElement) -> None:
        is_line = node.tag in _LINES
        pieces.append("\n" if is_line else "")
        pieces.append(node.text or "")
        for child in node:
            if isinstance(child.tag, str):
                walk(child)
            pieces.append(child.tail or "")
        pieces.append("\n" if is_line else " " if node.tag in ("td", "th") else "")

    walk(element)
    return [" ".join(line.split()) for line in "".join(pieces).split("\n")]

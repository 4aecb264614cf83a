"""Manuals as Debian packages them, or as the usual programs convert packaged sources.

Not among them, since they are kept for an outside check: the manuals of Python, Apache, PostgreSQL, Git, GIMP, Django, Rust's book,
cppreference, Debian's handbook and reference.
"""

from __future__ import annotations

from benchmarks.sites.builders.references import BUILDER_MANUALS
from benchmarks.sites.manuals.converted import convert_mallard, convert_man_pages, convert_pods, convert_rd, convert_ruby, read_godoc
from benchmarks.sites.manuals.further_manuals import FURTHER_MANUALS
from benchmarks.sites.manuals.manual import Manual
from benchmarks.sites.manuals.more_manuals import MORE_MANUALS
from benchmarks.sites.manuals.packaged_references import PACKAGED_REFERENCES
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.manuals import ARTICLE_MANUALS
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.manuals import JOURNAL_MANUALS
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.manuals import PAGE_MANUALS
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.manuals import POST_MANUALS
from benchmarks.sites.programs.markets_and_readers.manuals import MARKET_MANUALS
from benchmarks.sites.programs.publications.manuals import PUBLICATION_MANUALS


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
        f".//*[@id='table-of-contents' or @id='synopsis'] | .//table[{_has('info')}] | .//details[not(@open)]/*[not(self::summary)]"
        f" | .//a[{_has('link')} or {_has('selflink')}]",  # to the source and to the place itself
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
    Manual(
        "rust-std",
        "rustdoc",
        "rust-doc",
        f"{_DOC}/rust-doc/html",
        "std/*/*.html",
        "//section[@id='main-content']",
        f".//*[{_has('out-of-band')} or {_has('hideme')} or {_has('rightside')} or {_has('srclink')}] | .//button"
        f" | .//*[{_has('notable-traits')}]"
        f" | .//a[{_has('anchor')} or {_has('test-arrow')}] | .//details[not(@open)]/*[not(self::summary)]",
        "MIT or Apache-2.0",
    ),
    Manual("perl", "pod2html", "perl-doc", "", "*.html", "//body", "./ul[@id='index']", "GPL or Artistic", convert_pods),
    Manual(
        "gnome",
        "yelp",
        "gnome-user-docs",
        "",
        "*.html",
        "//article",
        f".//section[{_has('links')}] | .//*[{_has('prevnextlinks')}]",
        "CC-BY-SA-3.0",
        convert_mallard,
    ),
    Manual(
        "system-calls",
        "mandoc",
        "manpages-dev",
        "",
        "*.html",
        f"//*[{_has('manual-text')}]",
        f".//*[{_has('toc')}]",
        "GPL and others, by page",
        convert_man_pages,
    ),
    Manual(
        "ruby",
        "yard",
        "libruby3.1",
        "",
        "**/*.html",
        "//div[@id='content']",
        f".//*[{_has('inheritanceTree')} or {_has('summary_toggle')} or {_has('toggleSource')} or {_has('source_code')}]"
        f" | .//span[{_has('inheritName')}][../ul]",
        "Ruby",
        convert_ruby,
    ),
    Manual(
        "r-stats",
        "rd2html",
        "r-base-core",
        "",
        "*.html",
        "//body",
        ".//table[.//td[contains(., 'R Documentation')]] | .//div[starts-with(normalize-space(.), '[Package')]",
        "GPL-2",
        convert_rd,
    ),
    Manual(
        "go",
        "godoc",
        "golang-src",
        "",
        "*.html",
        "//div[@id='page']/div",
        ".//*[@id='footer' or @id='pkg-index'] | .//*[@id='short-nav']/dl[.//a] | .//script"
        f" | .//div[{_has('toggleVisible')}]/div[{_has('collapsed')}] | .//div[{_has('toggle')}]/div[{_has('expanded')}]",
        "BSD-3-Clause",
        read_godoc,
    ),
    Manual(
        "js-of-ocaml",
        "odoc",
        "libjs-of-ocaml-doc",
        f"{_DOC}/libjs-of-ocaml-doc/api",
        "*/**/index.html",
        f"//header[{_has('odoc-preamble')}] | //div[{_has('odoc-content')}]",
        "",
        "GPL-2",
    ),
    Manual(
        "libreoffice",
        "libreoffice-help",
        "libreoffice-help-en-us",
        "/usr/share/libreoffice/help",
        "en-US/text/s*/**/*.html",
        "//div[@id='DisplayArea'][not(.//*[@hidden])]",
        f".//div[{_has('relatedtopics')}]",
        "MPL-2.0",
    ),
    Manual(
        "gap",
        "gapdoc",
        "gap-doc",
        "/usr/share/gap/doc/ref",
        "chap*[0-9].html",
        "//body",
        f".//*[{_has('chlinktop')} or {_has('chlinkprevnexttop')} or {_has('chlinkprevnextbot')}"
        f" or {_has('chlinkbot')} or {_has('foot')} or {_has('ChapSects')} or {_has('copyright')} or @id='mathjaxlink']",
        "GPL-2",
    ),
    *MORE_MANUALS,
    *PACKAGED_REFERENCES,
    *BUILDER_MANUALS,
    *FURTHER_MANUALS,
    *PUBLICATION_MANUALS,
    *PAGE_MANUALS,
    *ARTICLE_MANUALS,
    *POST_MANUALS,
    *JOURNAL_MANUALS,
    *MARKET_MANUALS,
)

"""Manuals of sites and programs with a template of their own, as Debian packages them.

StyleBook (Xerces), autogsdoc (GNUstep), doctools (Tcllib), HeVeA (OMake), debiandoc-sgml (Foca Linux), DDoc (Phobos), and the sites and
manuals of Slurm, H2O, NUnit, FunnelWeb, OpenDX, Munipack, XSane, Analog, AWStats and Xfig.
"""

from __future__ import annotations

from benchmarks.sites.manuals.further_conversions import convert_ddoc
from benchmarks.sites.manuals.manual import Manual


def _has(name: str) -> str:
    return f"contains(concat(' ', @class, ' '), ' {name} ')"


_DOC = "/usr/share/doc"
_CONTENTS_LIST = ".//ul[li][not(li[not(a[starts-with(@href, '#')])])]"
"""Lists of links to places of the page itself."""
_ANALOG_LINKS = " or ".join(f"normalize-space()='{name}'" for name in ("Top", "Up", "Prev", "Next", "Map", "Index"))
FURTHER_MANUALS = (
    Manual(
        "slurm",
        "slurm-site",
        "slurm-wlm-doc",
        f"{_DOC}/slurm-wlm/html",
        "*.html",
        f"//div[@role='main']/div[{_has('section')}]/div[{_has('container')}][not(.//a[@href='#index'])]",
        f"./p[starts-with(normalize-space(), 'Last modified')] | {_CONTENTS_LIST}"
        " | ./h2[normalize-space()='Contents'] | ./a[preceding-sibling::h2[1][normalize-space()='Contents']]",
        "GPL-2",
    ),
    Manual("h2o", "h2o-makedoc", "h2o-doc", f"{_DOC}/h2o", "**/*.html", "//div[@id='main']", "", "MIT"),
    Manual(
        "funnelweb",
        "funnelweb-site",
        "funnelweb-doc",
        f"{_DOC}/funnelweb-doc",
        "*/*.html",
        "//td[@width='360']",
        ".//table[.//img[contains(@src, 'fw_')]] | .//hr[last()]/following-sibling::font",
        "free, see the package",
    ),
    Manual(
        "nunit",
        "nunit-site",
        "libnunit-doc",
        f"{_DOC}/nunit/html",
        "*.html",
        "//div[@id='content']",
        f".//div[{_has('langFilter')}]",
        "zlib",
    ),
    Manual(
        "gnustep-base",
        "autogsdoc",
        "gnustep-base-doc",
        "/usr/share/GNUstep/Documentation/Developer/Base/Reference",
        "NS*.html",
        "//body",
        ".//a[normalize-space()='Up'] | .//div[h3[starts-with(normalize-space(), 'Contents')]] | .//h3[.='Authors']"
        " | .//h3[.='Authors']/following-sibling::dl[1] | .//p[b[starts-with(., 'Copyright')]]"
        " | .//b[.='Method summary'] | .//b[.='Method summary']/following-sibling::ul[1]"
        " | .//a[starts-with(@href, '#')][.='Instance Variables']",
        "LGPL-2.1",
    ),
    Manual(
        "xerces-c",
        "stylebook",
        "libxerces-c-doc",
        f"{_DOC}/libxerces-c-doc/html",
        "*.html",
        f"//td[@width='500'][not(contains(., '[end]'))][count({_CONTENTS_LIST}) < 4]",
        f".//table[@width='494'][{_CONTENTS_LIST}][not(.//p)][count(.//table[@width='494']) = 1]",
        "Apache-2.0",
    ),
    Manual(
        "tcllib",
        "doctools",
        "tcllib",
        f"{_DOC}/tcllib/html",
        "*.html",
        f"//div[{_has('doctools')}]",
        ".//div[@id='toc' or @id='keywords' or @id='category' or @id='copyright']",
        "TCL",
    ),
    Manual(
        "omake",
        "hevea",
        "omake-doc",
        f"{_DOC}/omake/html",
        "*.html",
        "//body[h1][not(h1[starts-with(normalize-space(), 'Index')])]",
        "./table[.//td[normalize-space()='Jump to:']] | ./h1/following-sibling::*[1][self::ul]",
        "GPL-2",
        count=16,
    ),
    Manual(
        "opendx",
        "opendx-docs",
        "dx-doc",
        f"{_DOC}/dx/html",
        "pages/progu*.htm",
        "//body",
        "./h1[1] | .//b[starts-with(normalize-space(), '[')] | .//menu | .//a[normalize-space()='Partial Table-of-Contents']",
        "IBM-1.0",
    ),
    Manual(
        "munipack",
        "munipack-site",
        "munipack-doc",
        f"{_DOC}/munipack",
        "*.html",
        "//body/section",
        "",
        "GPL-3",
    ),
    Manual(
        "foca",
        "debiandoc-sgml",
        "focalinux-html",
        f"{_DOC}/focalinux/html",
        "intermediario/ch-*.html",
        "//body",
        "./p[a[contains(@href, '#contents')]] | ./p[normalize-space()='Guia Foca GNU/Linux'] | ./address",
        "GFDL",
        language="pt",
    ),
    Manual(
        "xsane",
        "xsane-site",
        "xsane-common",
        f"{_DOC}/xsane-common/html",
        "sane-xsane-*.html",
        "//body/table//h1 | //body/table[2]//td[@bgcolor]/following-sibling::td",
        "",
        "GPL-2",
        count=23,
    ),
    Manual(
        "analog",
        "analog-site",
        "analog",
        f"{_DOC}/analog/docs",
        "*.html",
        "//body[not(//title[contains(., 'index') or contains(., 'map of') or contains(., 'FAQ')])]",
        f"./a[{_ANALOG_LINKS}] | ./h1/following-sibling::hr[last()]/following-sibling::* | {_CONTENTS_LIST}",
        "GPL-2",
        drop_lines=r"(?=.*[\[\]|])(Top|Up|Prev|Next|Map|Index|[\[\]| ])*|Go to the \.",
    ),
    Manual(
        "awstats",
        "awstats-site",
        "awstats",
        f"{_DOC}/awstats/html",
        "awstats_*.html",
        "//body",
        f"./table[1] | .//div[{_has('htmldoc-ignore')}]",
        "GPL-3",
        count=16,
    ),
    Manual(
        "xfig",
        "xfig-manual",
        "xfig-doc",
        f"{_DOC}/xfig/html",
        "japanese/*.html",
        "//body[h1][not(//title[.='Contents' or .='FAQ'])]",
        "./hr[last()]/following-sibling::a | ./p[img[contains(@src, 'flag')]] | ./h1/following-sibling::*[1][self::ul]",
        "MIT",
        count=16,
        language="ja",
        drop_lines=r"(?=.*[\[\]|])(Introduction|Credits|[\[\]| ])*",
    ),
    Manual(
        "phobos",
        "ddoc",
        "libphobos2-ldc-shared-dev",
        "",
        "*.html",
        "//article",
        f".//div[{_has('ddoc_authors')} or {_has('ddoc_license')} ]"
        f" | .//div[{_has('ddoc_section')}][starts-with(normalize-space(), 'Source:') or starts-with(normalize-space(), 'Copyright')]",
        "BSL-1.0",
        convert_ddoc,
    ),
)

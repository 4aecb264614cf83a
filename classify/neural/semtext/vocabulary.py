"""Tokenisation of SemText's input: text, tags and class names (Zhang and Wang 2021).

A tag or a class name is made of words: `nav` is "navigation", `articleBody-txt` "article body text". So it has a
meaning before the model has seen it once, by the vectors of its words. Departure: an id counts as a class name; old pages have little else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

LONGEST_WORD = 24
"""Characters of a word that are read; a clause in a script without spaces is one word, whose parts the subwords see."""
MOST_WORDS = 24
"""Words of a text block that are read, its first: it bounds the cost of a long one, and a paragraph is known as one long before."""
MOST_NAME_WORDS = 8
"""Words of an element's class names and id that are read: utility classes come by the dozen."""
CACHED = 1 << 14

TAGS = {
    "a": "link",
    "abbr": "abbreviation",
    "b": "bold",
    "blockquote": "block quote",
    "br": "line break",
    "dd": "definition description",
    "del": "deleted",
    "div": "division",
    "dl": "definition list",
    "dt": "definition term",
    "em": "emphasis",
    "fieldset": "field set",
    "figcaption": "figure caption",
    "h1": "first heading",
    "h2": "second heading",
    "h3": "third heading",
    "h4": "fourth heading",
    "h5": "fifth heading",
    "h6": "sixth heading",
    "hr": "horizontal rule",
    "i": "italic",
    "iframe": "inline frame",
    "img": "image",
    "ins": "inserted",
    "kbd": "keyboard",
    "li": "list item",
    "nav": "navigation",
    "noscript": "no script",
    "ol": "ordered list",
    "optgroup": "option group",
    "p": "paragraph",
    "pre": "preformatted",
    "q": "quote",
    "samp": "sample",
    "sub": "subscript",
    "sup": "superscript",
    "tbody": "table body",
    "td": "table cell",
    "textarea": "text area",
    "tfoot": "table foot",
    "th": "table heading",
    "thead": "table head",
    "tr": "table row",
    "ul": "unordered list",
}
"""Words for tags whose name is no word (HTML standard, 4); any other is its name."""

ABBREVIATIONS = {
    "abs": "absolute", "acc": "account", "ad": "advertisement", "ads": "advertisement", "adv": "advertisement", "advert": "advertisement",
    "art": "article", "attr": "attribute", "auth": "author", "bd": "body", "bg": "background", "bio": "biography", "blk": "block",
    "bot": "bottom", "btm": "bottom", "btn": "button", "cap": "caption", "cat": "category", "cats": "category", "cmt": "comment",
    "cnt": "content", "col": "column", "cols": "column", "com": "comment", "cont": "content", "ctn": "container", "ctr": "center",
    "cur": "current", "desc": "description", "descr": "description", "dlg": "dialog", "doc": "document", "dsc": "description",
    "ent": "entry", "fb": "facebook", "fig": "figure", "fn": "footnote", "fnt": "font", "foot": "footer", "frm": "form", "ft": "footer",
    "ftr": "footer", "gal": "gallery", "grp": "group", "hd": "header", "hdg": "heading", "hdln": "headline", "hdr": "header",
    "head": "header", "hl": "headline", "ico": "icon", "img": "image", "imgs": "image", "inf": "information", "info": "information",
    "itm": "item", "lang": "language", "lbl": "label", "lft": "left", "lg": "large", "lnk": "link", "loc": "location", "lst": "list",
    "md": "medium", "med": "medium", "mid": "middle", "mod": "module", "msg": "message", "nav": "navigation", "navi": "navigation",
    "no": "number", "num": "number", "nxt": "next", "opt": "option", "org": "organisation", "pag": "pagination", "para": "paragraph",
    "pg": "page", "pic": "picture", "pics": "picture", "pod": "module", "pos": "position", "pref": "preference", "prev": "previous",
    "prod": "product", "prods": "product", "promo": "promotion", "pub": "publish", "qty": "quantity", "ref": "reference",
    "refs": "reference", "rel": "related", "rgt": "right", "rhs": "right", "lhs": "left", "rt": "right", "sb": "sidebar",
    "sec": "section", "sect": "section", "sep": "separator", "sm": "small", "soc": "social", "spon": "sponsor", "src": "source",
    "std": "standard", "str": "story", "sub": "secondary", "subhead": "subtitle", "tbl": "table", "thumb": "thumbnail",
    "thumbs": "thumbnail", "tit": "title", "tmpl": "template", "ttl": "title", "tw": "twitter", "txt": "text", "usr": "user",
    "vid": "video", "vids": "video", "wrap": "wrapper", "yt": "youtube",
}  # fmt: skip
"""Abbreviations of authors of style sheets, and their meanings."""

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")
_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_DIGIT = re.compile(r"\d")


def text_words(text: str, most: int = MOST_WORDS) -> list[str]:
    """Return the first words and signs of a text, in small letters, every digit as 0: numbers and dates are alike, prices too."""
    return [_DIGIT.sub("0", found[0][:LONGEST_WORD].lower()) for found in islice(_TOKEN.finditer(text), most)]


def tag_words(tag: str) -> tuple[str, ...]:
    """Return what a tag means, in words."""
    return tuple(TAGS.get(tag, tag).split())


@lru_cache(CACHED)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a class name or id: cut at delimiters, digits and camel case, abbreviations written out; digits are dropped."""
    found = (part.lower() for part in _NAME.findall(name))
    return tuple(ABBREVIATIONS.get(part, part)[:LONGEST_WORD] for part in found if len(part) > 1)

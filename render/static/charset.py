"""Character encoding detection of HTML documents (HTML standard, section 13.2.3)."""

from __future__ import annotations

import codecs
import re

from render.errors import Unusable

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_PRESCAN = 4096
"""Bytes searched for a declaration. The standard requires 1,024; real pages put theirs behind longer comments and scripts."""

_CODECS = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "utf-16be"), "utf-8"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "ascii", "us-ascii", "windows-1252", "cp1252"), "cp1252"),
    **dict.fromkeys(("gb2312", "gb_2312-80", "gbk", "x-gbk", "gb18030", "chinese"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms932"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601", "korean", "windows-949"), "cp949"),
    **dict.fromkeys(("iso-8859-9", "latin5", "windows-1254"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620", "windows-874"), "cp874"),
    **{name: name for name in ("euc-jp", "iso-2022-jp", "koi8-r", "koi8-u")},
    **{f"windows-125{digit}": f"cp125{digit}" for digit in (0, 1, 3, 5, 6, 7, 8)},
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}
"""The labels of the Encoding standard that pages use, to Python's codecs. Any other label is ignored: some name codecs of other kinds."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SAMPLE = 4096
_STRAY = 8
"""Control characters that a short document may hold."""


def decode_html(html: bytes, sent_as: str = "") -> str:
    """Return the document's characters: by its byte order mark, else what it was sent as, its declaration, UTF-8, or windows-1252.

    `sent_as` is the charset of its Content-Type, if known. What cannot be decoded becomes U+FFFD.
    """
    for mark, codec in _MARKS:
        if html.startswith(mark):
            return html[len(mark) :].decode(codec, errors="replace")
    codec = _codec(html, sent_as)
    if codec:
        return html.decode(codec, errors="replace")
    try:
        return html.decode("utf-8")
    except UnicodeDecodeError:
        return html.decode("cp1252", errors="replace")


def to_utf8(html: bytes) -> bytes:
    """Return in UTF-8 what `decode_html` gives; documents in UTF-8, as most are, come back as they are."""
    if _codec(html, "") in ("", "utf-8") and not _has_mark(html) and _is_utf8(html):
        return html
    return decode_html(html).encode("utf-8", "ignore")


def type_of_stored(html: bytes) -> str:
    """Return the Content-Type of stored HTML, with a charset if the bytes are UTF-8 beyond ASCII and do not declare their encoding.

    The headers of the response, which are lost, may have declared it. Without them a browser would take windows-1252.
    """
    is_undeclared = not html.isascii() and not _codec(html, "") and not _has_mark(html)
    return "text/html; charset=utf-8" if is_undeclared and _is_utf8(html) else "text/html"


def _has_mark(html: bytes) -> bool:
    return html.startswith(tuple(mark for mark, _ in _MARKS))


def _is_utf8(html: bytes) -> bool:
    try:
        html.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _codec(html: bytes, sent_as: str) -> str:
    declared = _DECLARED.search(html, 0, _PRESCAN)
    return _CODECS.get(sent_as.lower(), "") or (_CODECS.get(declared[1].decode("ascii").lower(), "") if declared else "")


def check_is_text(html: str, where: str) -> None:
    """Raise `Unusable` if the characters are a picture's, an archive's or the like: more than 1 in 20 is a control character."""
    sample = html[:_SAMPLE]
    if sample.startswith("%PDF-") or len(_CONTROL.findall(sample)) > max(len(sample) / 20, _STRAY):
        raise Unusable(f"{where or 'the document'}: not HTML but binary data: give the page's HTML")

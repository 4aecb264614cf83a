"""Character encoding of HTML documents (HTML standard, section 13.2.3), detected if they declare none or a wrong one."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from sightread.render.errors import Unusable

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_DECLARED = re.compile(
    rb"""(?:<meta[^>]{0,500}?charset|\A\s*<\?xml[^>]{0,200}?encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE
)
_PRESCAN = 4096
"""Bytes searched for a declaration. The standard requires 1,024; real pages put theirs behind longer comments and scripts."""

_CODECS = {
    "utf-8": "utf-8",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-jp": "euc_jis_2004",
    "iso-2022-jp": "iso-2022-jp",
    "euc-kr": "cp949",
    "windows-874": "cp874",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "ibm866": "cp866",
    "x-mac-cyrillic": "mac-cyrillic",
    **{f"windows-125{digit}": f"cp125{digit}" for digit in range(9)},
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}
"""The charsets of the Encoding standard that pages use, by name, to Python's codecs."""

_NAMES = {name: name for name in _CODECS} | {
    **dict.fromkeys(("utf8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "utf-16be"), "utf-8"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "ascii", "us-ascii"), "windows-1252"),
    **dict.fromkeys(("gb2312", "gb_2312-80", "x-gbk", "gb18030", "chinese"), "gbk"),
    **dict.fromkeys(("big5-hkscs", "x-x-big5", "cn-big5"), "big5"),
    **dict.fromkeys(("shift-jis", "sjis", "x-sjis", "windows-31j", "ms932"), "shift_jis"),
    **dict.fromkeys(("ks_c_5601-1987", "ksc5601", "korean", "windows-949"), "euc-kr"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "windows-1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620", "dos-874"), "windows-874"),
    **dict.fromkeys(("iso-8859-8-i", "logical"), "windows-1255"),
    **{"x-euc-jp": "euc-jp", "koi8": "koi8-r", "koi": "koi8-r", "koi8-ru": "koi8-u", "cp866": "ibm866"},
    **{f"{prefix}cp125{digit}": f"windows-125{digit}" for prefix in ("", "x-") for digit in range(9)},
}
"""The standard's labels. Any other label is ignored: some name codecs of other kinds."""

_LATIN = ("windows-1252", "windows-1250", "windows-1254", "windows-1257", "windows-1258", "iso-8859-2")
"""Detectable charsets of languages in Latin script: servers and editors declare them without regard to the page."""
_OTHER = (
    *("gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "windows-1251", "windows-1253", "windows-1255", "windows-1256", "windows-874"),
    *("koi8-r", "koi8-u", "ibm866", "x-mac-cyrillic", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8"),
)
"""Detectable charsets of other scripts. As in browsers, ISO-2022-JP is none: its bytes are those of ASCII."""
_BY_CODEC = {codec: name for name, codec in _CODECS.items()}
_TAG = re.compile(rb"<[^<>]*>|&#?\w{1,20};")
_HIGH = bytes(range(0x80, 0x100))
_RUN = re.compile(rb"[\x80-\xff]{3,}")

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class CharsetLimits:
    """Limits of reading and detecting a charset (docs/experiments/rendering.md, "Charsets")."""

    most_broken_utf8: float = 0.5
    """Of the characters beyond ASCII, how many may be broken; text in a legacy charset breaks 63 % and more."""
    most_broken_legacy: float = 0.04
    most_in_runs: float = 0.5
    """Of the bytes beyond ASCII in a Latin charset, how many may be in runs of three or more: .14 at most, and .59 and more elsewhere."""
    sample: int = 4096
    """Characters searched for control characters."""
    stray: int = 8
    """Control characters that a short document may hold."""


LIMITS = CharsetLimits()


@dataclass(frozen=True, slots=True)
class DecodedHtml:
    """A document's bytes, the same in UTF-8, and the standard's name of their charset."""

    raw: bytes
    utf8: bytes
    charset: str = "utf-8"
    is_guessed: bool = False
    """Whether the charset is neither declared nor UTF-8 by default."""

    @property
    def text(self) -> str:
        """The document's characters."""
        return self.utf8.decode("utf-8")

    @property
    def content_type(self) -> str:
        """The Content-Type with which a browser reads `raw` as it is decoded here."""
        return f"text/html; charset={self.charset}"


Html = str | bytes | DecodedHtml


def codec_of(label: str) -> str:
    """Return Python's codec for a label of the standard; empty for any other."""
    return _CODECS.get(_NAMES.get(label.lower(), ""), "")


def as_decoded(html: Html) -> DecodedHtml:
    """Return the document decoded, if it is not already."""
    if isinstance(html, str):
        encoded = html.encode("utf-8", "ignore")
        return DecodedHtml(encoded, encoded)
    return decode_html(html) if isinstance(html, bytes) else html


def decode_html(html: bytes, sent_as: str = "") -> DecodedHtml:
    """Return the document's characters, and their charset: by its byte order mark, UTF-8 if the bytes are that, what it was sent as, its
    declaration, or detection; the first that its bytes do not contradict.

    `sent_as` is the charset of its Content-Type, if known. What cannot be decoded becomes U+FFFD.
    """
    for mark, charset in _MARKS:
        if html.startswith(mark):
            return DecodedHtml(html, html[len(mark) :].decode(charset, "replace").encode("utf-8", "ignore"), charset)
    labels = (sent_as, found[1].decode("ascii") if (found := _DECLARED.search(html, 0, _PRESCAN)) else "")
    declared = [_NAMES[label.lower()] for label in labels if label.lower() in _NAMES]
    stated = declared[0] if declared else "utf-8"
    if stated != "iso-2022-jp":
        if html.isascii():
            return DecodedHtml(html, html, stated)
        if _is_utf8(html):
            return DecodedHtml(html, html, "utf-8", stated != "utf-8")
        declared.insert(0, "utf-8")
    for charset in dict.fromkeys(declared):
        text = html.decode(_CODECS[charset], "replace")
        if not _is_contradicted(html, text, charset):
            return DecodedHtml(html, text.encode("utf-8", "ignore"), charset, charset == "utf-8" != stated)
    charset = _detect(html)
    return DecodedHtml(html, html.decode(_CODECS[charset], "replace").encode("utf-8", "ignore"), charset, is_guessed=True)


def _is_utf8(html: bytes) -> bool:
    try:
        html.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_contradicted(html: bytes, text: str, charset: str) -> bool:
    """Return whether the bytes are not in a charset, in which they read `text`."""
    if charset in _LATIN and not _is_latin(html):
        return True
    broken = text.count("\ufffd")
    most = LIMITS.most_broken_utf8 if charset == "utf-8" else LIMITS.most_broken_legacy
    return broken > 0 and broken > most * (len(text) - len(text.encode("ascii", "ignore")))


def _detect(html: bytes) -> str:
    """Return the likeliest charset of the text outside tags; windows-1252 if none fits."""
    import chardet  # noqa: PLC0415  (60 ms, for few pages)

    candidates = [_CODECS[name] for name in (_LATIN if _is_latin(html) else _OTHER)]
    found = chardet.detect(_TAG.sub(b" ", html), compat_names=False, include_encodings=candidates)["encoding"]
    return _BY_CODEC.get(found or "", "windows-1252")


def _is_latin(html: bytes) -> bool:
    """Return whether most bytes beyond ASCII are among others, as accented letters are."""
    high = len(html) - len(html.translate(None, _HIGH))
    return sum(map(len, _RUN.findall(html))) <= LIMITS.most_in_runs * high


def check_is_text(html: DecodedHtml, where: str) -> None:
    """Raise `Unusable` if the characters are a picture's, an archive's or the like: more than 1 in 20 is a control character."""
    sample = html.utf8[: 4 * LIMITS.sample].decode("utf-8", "ignore")[: LIMITS.sample]
    if sample.startswith("%PDF-") or len(_CONTROL.findall(sample)) > max(len(sample) / 20, LIMITS.stray):
        raise Unusable(f"{where or 'the document'}: not HTML but binary data: give the page's HTML")

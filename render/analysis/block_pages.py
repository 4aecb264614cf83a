"""Block pages: bot walls, logins and error pages served in place of the requested page, with status 200 or in stored HTML.

Four kinds: `bot` (a challenge, a captcha, access denied by the site's guard), `login` (a password field and almost nothing else),
`error` (not found or out of order, with status 200) and `scripts` (only a notice that the page requires scripts). A block
page has little text, and its message at the top; a page with text to read is none, even if it contains the words: `python -m benchmarks
walls` counts the false alarms among real pages. Paywalled articles and pages without visible text are no walls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sightread.render.errors import Walled, quoted
from sightread.render.page import Block, Page, once
from sightread.render.page.view import enclosing, innermost, rows_of_tags
from sightread.render.text.words import count_words

# Notices that a page requires scripts, in any language: short blocks that name JavaScript, where pages put such notices.


LONGEST_NOTICE = 300
"""Characters; a longer text that names JavaScript is about it."""
BARE_WORDS = 12.0
"""Words outside links of a page that has nothing to read besides its notices."""

_SPELLINGS = (
    *("java script", "джава скрипт", "ява скрипт", "τζάβα σκριπτ", "גאווה סקריפט", "ג'אווה סקריפט", "جافا سكريبت", "جافا سكربت"),
    *("جاوا اسکریپت", "जावा स्क्रिप्ट", "জাভা স্ক্রিপ্ট", "จาวา สคริปต์", "자바 스크립트", "ジャバ スクリプト", "ჯავა სკრიპტ"),
)
_JAVASCRIPT = tuple(spelling.replace(" ", between) for spelling in _SPELLINGS for between in ("", " ", "-", "\u200c"))
_OTHER_SCRIPTS = re.compile("[\u0370-\u10ff\u3040-\ud7af]")
_LATIN_JAVASCRIPT = tuple(spelling for spelling in _JAVASCRIPT if not _OTHER_SCRIPTS.search(spelling))
_SCRIPTS = re.compile(
    r"(?<![a-z])(?:java|ecma)?s[ck]ript|\bjs\b|скрипт|σκριπτ|סקריפט|سكر[يب]|اسکریپت|स्क्रिप्ट|স্ক্রিপ্ট|สคริปต์|スクリプト|스크립트|სკრიპტ|脚本|腳本",
    re.IGNORECASE,
)
"""Words for scripts, in places for notices: elsewhere they may be stage plays."""
_MARKED = re.compile(
    r"(?<![a-z])(?:(?:no|without|disabled|missing|enable|require)[-_]?(?:js|java-?script|script)|(?:js|java-?script|scripts?)[-_]?"
    r"(?:off|disabled|required|needed|missing|warning|notice|message|alert|error))(?![a-z])",
    re.IGNORECASE,
)
"""Ids and classes of notices."""
_CODE_TAGS = ("pre", "code", "listing", "textarea")


@once
def script_notices(page: Page) -> frozenset[int]:
    """Return the rows of the blocks that state only that the page requires scripts.

    Places for them are a `<noscript>` and elements whose id or class names a notice. In a short text there every block that names scripts
    is one, and all of it if it begins with one; in a longer text the first and the last block may be, or all together. Elsewhere it is a
    notice if it is the only mention of JavaScript in a page without other text, or is before or after all of its text.
    """
    places = frozenset((*rows_of_tags(page).get("noscript", ()), *_marked(page)))
    short = [row for row, block in enumerate(page.blocks) if len(block.text) <= LONGEST_NOTICE]
    is_named = _name_javascript(page.blocks[row].text for row in short)
    if not places and not is_named:
        return frozenset()
    within = innermost(page, places)
    groups: dict[int, list[int]] = {}
    for row, block in enumerate(page.blocks):
        if within[block.element] >= 0:
            groups.setdefault(within[block.element], []).append(row)
    notices = frozenset(row for rows in groups.values() for row in _notices_among(page, rows))
    unscripted = (rows for place, rows in groups.items() if page.elements[place].tag == "noscript")
    bare = notices.union(*(rows for rows in unscripted if _length(page, rows) <= LONGEST_NOTICE))
    if bare and is_bare(page, bare):
        return bare
    elsewhere = [row for row in short if within[page.blocks[row].element] < 0] if is_named else []
    outside = [row for row in elsewhere if _name_javascript((page.blocks[row].text,))]
    if len(outside) != 1 or not _is_apart(page, outside[0]):
        return notices
    is_topic = _name_javascript((*page.titles, *(block.text for block in page.blocks if block.heading)))
    return notices if is_topic else notices.union(outside)


def is_bare(page: Page, notices: Iterable[int]) -> bool:
    """Return whether the page shows almost no text besides its notices."""
    held = frozenset(notices)
    others = (block for row, block in enumerate(page.blocks) if row not in held and is_shown(page, block))
    return sum(map(unlinked_words, others)) <= BARE_WORDS


def is_shown(page: Page, block: Block) -> bool:
    """Return whether a reader may see the block; all of a page that no browser laid out."""
    return page.source == "static" or block.hidden not in ("display", "visibility", "opacity")


def unlinked_words(block: Block) -> float:
    """Return the number of words of a block outside links."""
    if block.link_chars >= len(block.text):
        return 0.0
    return count_words(block.text) * (1 - block.link_chars / len(block.text))


def _name_javascript(texts: Iterable[str]) -> bool:
    in_ascii: list[str] = []
    others: list[str] = []
    for text in texts:
        (in_ascii if text.isascii() else others).append(text)
    lower, folded = "\n".join(in_ascii).lower(), "\n".join(others).casefold()  # which takes ten times as long
    spellings = _JAVASCRIPT if _OTHER_SCRIPTS.search(folded) else _LATIN_JAVASCRIPT
    return any(spelling in folded for spelling in spellings) or any(spelling in lower for spelling in _LATIN_JAVASCRIPT)


def _marked(page: Page) -> list[int]:
    """Return the rows of the elements whose id or class names a notice; the body's describe the whole page."""
    names = {element.id for element in page.elements}.union(*{element.classes for element in page.elements})
    candidates = (name for name in names if "js" in (folded := name.casefold()) or "script" in folded)
    marked = set(filter(_MARKED.search, candidates))
    if not marked:  # as on most pages
        return []
    return [row for row, each in enumerate(page.elements) if row and not marked.isdisjoint((each.id, *each.classes))]


def _notices_among(page: Page, rows: list[int]) -> Iterable[int]:
    """Return which rows of a place for notices are some."""
    named = [row for row in rows if len(page.blocks[row].text) <= LONGEST_NOTICE and _SCRIPTS.search(page.blocks[row].text)]
    if _length(page, rows) <= LONGEST_NOTICE:
        return rows if rows[0] in named else named
    return named if len(named) == len(rows) else [row for row in named if row in (rows[0], rows[-1])]


def _length(page: Page, rows: Iterable[int]) -> int:
    return sum(len(page.blocks[row].text) for row in rows)


def _is_apart(page: Page, row: int) -> bool:
    """Return whether a block is alone, or before or after all other text and unlike what is beside it; code is not."""
    block, last = page.blocks[row], len(page.blocks) - 1
    if enclosing(page, _CODE_TAGS)[block.element] >= 0:
        return False
    if is_bare(page, (row,)):
        return True
    if row not in (0, last):
        return False
    own, other = (page.elements[page.blocks[each].element] for each in (row, 1 if row == 0 else last - 1))
    return (own.tag, own.parent, own.classes) != (other.tag, other.parent, other.classes)


# Block pages.


BlockPageKind = Literal["bot", "login", "error", "scripts"]


@dataclass(frozen=True, slots=True)
class BlockPageRules:
    """Most words outside links of a block page; judgement, checked in docs/experiments/rendering.md."""

    bot: float = 180.0
    login: float = 60.0
    error: float = 120.0
    paragraph: float = 60.0
    """Of one block: a page with a longer paragraph has text to read."""
    message: float = 40.0
    """Of a block that may be the block page's message; in a longer block the same words have another subject."""
    searched_blocks: int = 6
    """Blocks with text outside links, from the top, that are searched for the message."""


RULES = BlockPageRules()

_HUMAN = (
    r"(?:verif(?:y|ying)|confirm|check(?:ing)?|prove|make sure|ensure|establish)\b.{0,40}\b(?:human|not a (?:ro)?bot|you'?re real)",
    r"are you (?:a )?(?:human|(?:ro)?bot)|i(?:'|’)?a?m not a robot|human verification|robot or human",
    r"unusual (?:traffic|activity) from your|automated (?:access|requests|queries)\b.{0,60}(?:detected|blocked)",
    r"(?:solve|complete|enter|type) (?:the|this) (?:captcha|security check)",
    r"bestätigen sie.{0,30}(?:mensch|kein roboter)|sind sie ein (?:mensch|roboter)|kein roboter",
    r"vérifi\w+.{0,30}(?:êtes|es) (?:bien )?(?:un )?humain|pas un robot|verifi\w+.{0,30}(?:humano|humana|umano)",
    r"(?:no|não) (?:soy|eres|sou|é) un? robot|non sono un robot|не робот|что вы человек|robot olmad",
    r"人机验证|请完成(?:安全)?验证|不是机器人|ロボットではありません|로봇이 아닙니다|لست روبوت",
)
_CHECKS = (
    r"enable javascript and cookies to continue|just a moment\W*$|ddos protection by|performing security verification",
    r"javascript (?:is|and cookies are) (?:disabled|required|needed|not enabled).{0,80}(?:continue|proceed|verif)",
    r"checking (?:if the site connection is secure|your browser before)|verif\w+ (?:the security of your connection|your browser)",
    r"please wait while we (?:verify|check) (?:your|that)|needs to review the security of your connection|pardon our interruption",
)
_DENIED = (
    r"you (?:don't|do not) have permission to access .{0,120} on this server|you have been blocked",
    r"access (?:to this (?:page|site|website|resource) (?:has been|is|was) )?denied\b",
    r"(?:your )?(?:access|request|ip(?: address)?) (?:has been|was|is) (?:temporarily )?blocked|доступ (?:запрещ|ограничен)",
    r"(?:zugriff|zugang) (?:verweigert|gesperrt)|accès (?:refusé|interdit)|acceso denegado|accesso negato|acesso negado",
    r"访问被拒绝|アクセスが拒否|접근이 거부",
)
_MISSING = (
    r"(?:error|http|fehler|erreur|errore|erro|ошибка)\W{0,3}4(?:04|10)\b|^\W*404\W*(?:$|error|not|page|file|[|:–-])",
    r"\b404 (?:error|not found)",
    r"(?:page|file|url|content|article|document)s?\b.{0,12}(?:\bnot|cannot|can(?:'|’)t|could(?:n't|n’t)) (?:be )?found",
    r"(?:page|content|article|file|url)\b.{0,60}(?:does(?:n't|n’t| not) exist|no longer (?:exists|available)|(?:is|are) not available)",
    r"(?:can(?:'|’)?t|could(?:n't|n’t| not)|unable to) find (?:the|that|this|your) (?:page|content|article)",
    r"\boops\W.{0,60}(?:page|wrong|found)|page (?:is |has )?gone",
    r"(?:seite|artikel|inhalt)\b.{0,40}(?:nicht (?:gefunden|vorhanden|verfügbar|mehr)|existiert nicht)",
    r"page (?:introuvable|non trouvée|inexistante)|page .{0,30}n(?:'|’)existe (?:pas|plus)|página não (?:encontrada|existe)",
    r"página no (?:encontrada|existe)|no (?:se ha|se) (?:podido )?encontr\w+ la página|pagina non (?:trovata|esiste)|pagina niet gevonden",
    r"nie znaleziono strony|strona nie (?:istnieje|została znaleziona)|страница не (?:найдена|существует)|sayfa bulunamadı",
    r"stránka nenalezena|sidan (?:hittades inte|finns inte)|siden (?:blev ikke fundet|findes ikke|ble ikke funnet)|sivua ei löyt",
    r"页面不存在|找不到(?:该|您|此)?.{0,8}(?:页|頁)|您访问的页面|ページが見つかりません|페이지를 찾을 수 없|الصفحة غير موجودة",
)
_BROKEN = (
    r"(?:internal server error|bad gateway|gateway time-?out|service (?:temporarily )?unavailable)\b|(?:error|http)\W{0,3}5\d\d\b",
    r"(?:site|page|website|server|service)\b.{0,40}(?:temporarily (?:unavailable|down)|(?:under|down for) (?:scheduled )?maintenance)",
    r"^\W*something went wrong|an? (?:unexpected )?error (?:has )?occurred|error establishing a database connection",
    r"wartungsarbeiten|(?:site|page) en maintenance|sitio en mantenimiento|sito in manutenzione|technischer? (?:störung|fehler)",
)
_LOGIN = (
    r"\b(?:log|sign)[ -]?(?:in|on)\b|\blogin\b|anmelde|einloggen|anmeldung|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu",
    r"connexion|se connecter|connectez|identifi(?:ez|ant)|inicia\w* sesión|accedi|entrar|fazer login|zaloguj|logowanie|přihlásit",
    r"войти|вход|авториза|giriş|登录|登入|ログイン|로그인|تسجيل الدخول",
)
_WORDS: dict[BlockPageKind, tuple[str, ...]] = {
    "bot": _HUMAN + _CHECKS + _DENIED,
    "error": _MISSING + _BROKEN,
    "login": _LOGIN,
}
_ADVICE = {
    "bot": "blocked by bot detection: request access, or use the site's feeds or API",
    "login": "a login page: send the session's cookies",
    "error": "an error page, though its status is 200: check the address",
    "scripts": "the page shows only a notice that it requires scripts: read it from its address, with a browser",
}
_UNFILLED = "its scripts ran and left a notice that they are required: wait for its content (wait_for), or try another device"


@dataclass(frozen=True, slots=True)
class BlockPage:
    """A block page: its kind, and the words by which it was recognised."""

    kind: BlockPageKind
    words: str


def find_wall(page: Page) -> BlockPage | None:
    """Return the block page that the page is, or None if it has text to read, or no text."""
    texts = []
    for block in page.blocks:
        if is_shown(page, block) and (own := unlinked_words(block)):
            if own > RULES.paragraph:
                return None
            texts.append((block, own))
    if not texts:
        return None
    words = sum(own for _, own in texts)
    places = [*page.titles[:1], *(block.text for block, own in texts[: RULES.searched_blocks] if own <= RULES.message)]
    if words <= RULES.bot and (found := _first("bot", places)):
        return BlockPage("bot", found)
    if words <= RULES.error and (found := _first("error", [*page.titles[:1], *_headlines(texts)])):
        return BlockPage("error", found)
    if page.password_fields and words <= RULES.login and (found := _first("login", places)):
        return BlockPage("login", found)
    notices = script_notices(page)
    if notices and is_bare(page, notices):
        return BlockPage("scripts", _shortened(page.blocks[min(notices)].text))
    return None


def check_wall(page: Page) -> None:
    """Raise `Walled` if the page is a block page in place of the requested page."""
    wall = find_wall(page)
    if wall:
        where = page.final_url or page.url or "the document"
        advice = _UNFILLED if wall.kind == "scripts" and page.source == "browser" else _ADVICE[wall.kind]
        raise Walled(f"{where}: block page ({quoted(wall.words)}): {advice}", wall.kind)


@cache
def _words(kind: BlockPageKind) -> re.Pattern[str]:
    """Return the words of a kind of block page. Compiled at first use: pages with a long paragraph do not need them."""
    return re.compile("|".join(_WORDS[kind]), re.IGNORECASE)


def _headlines(texts: list[tuple[Block, float]]) -> list[str]:
    early = [block for block, own in texts[: 2 * RULES.searched_blocks] if own <= RULES.message]
    return [block.text for block in early if block.heading] or [block.text for block in early[: RULES.searched_blocks]]


def _first(kind: BlockPageKind, places: list[str]) -> str:
    return next((_shortened(place) for place in places if _words(kind).search(place)), "")


def _shortened(text: str) -> str:
    return " ".join(text.split())[:120]

"""Block pages: bot walls, logins and error pages served in place of the requested page, with status 200 or in stored HTML.

Four kinds: `bot` (a challenge, a captcha, access denied by the site's guard), `login` (a password field and almost nothing else),
`error` (not found or out of order, with status 200) and `scripts` (only a notice that the page requires scripts). A block
page has little text, and its message at the top; a page with text to read is none, even if it contains the words: `python -m benchmarks
walls` counts the false alarms among real pages. Paywalled articles and pages without visible text are no walls.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sightread.render.analysis.script_notices import is_bare, is_shown, script_notices, unlinked_words
from sightread.render.errors import Walled, quoted
from sightread.render.page import Block, Page

BlockPageKind = Literal["bot", "login", "error", "scripts"]


@dataclass(frozen=True, slots=True)
class BlockPageRules:
    """Most words outside links of a block page; judgement, checked by `python -m benchmarks block-pages`."""

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
    texts = [(block, own) for block in page.blocks if is_shown(page, block) and (own := unlinked_words(block))]
    if not texts or max(own for _, own in texts) > RULES.paragraph:
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
    """Return the headings, else the first blocks."""
    early = [block for block, own in texts[: 2 * RULES.searched_blocks] if own <= RULES.message]
    return [block.text for block in early if block.heading] or [block.text for block in early[: RULES.searched_blocks]]


def _first(kind: BlockPageKind, places: list[str]) -> str:
    return next((_shortened(place) for place in places if _words(kind).search(place)), "")


def _shortened(text: str) -> str:
    return " ".join(text.split())[:120]

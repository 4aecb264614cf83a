"""Sentences in eleven languages and seven scripts: from given texts, the demo site's articles, and combinations of our own words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from sightread.data.demo.content import load_edition

EDITIONS = {"zh": ("，", "。", ""), "ar": ("، ", ".", " "), "hi": (", ", "।", " "), "bn": (", ", "।", " ")}
"""Comma, full stop and gap between words of the demo site's editions that are used."""


@dataclass(frozen=True, slots=True)
class Language:
    """Sentences of one language."""

    code: str
    clauses: tuple[str, ...]
    gap: str = " "
    """Between two words, and between two sentences."""
    comma: str = ", "
    stop: str = "."
    is_whole: bool = False
    """Whether the clauses are whole sentences already."""

    def sentence(self, draw: random.Random) -> str:
        """Return a sentence: of some thousand clauses one, of fewer two or three joined, so that pages rarely repeat each other."""
        if self.is_whole:
            return draw.choice(self.clauses)
        return _capital(self.comma.join(draw.choice(self.clauses) for _ in range(draw.randint(1, 3)))) + self.stop

    def title(self, draw: random.Random) -> str:
        """Return a short text without a full stop: the beginning of a sentence."""
        clause = draw.choice(self.clauses)
        if self.gap:
            return _capital(" ".join(clause.split()[: draw.randint(2, 6)]).rstrip(".,:;!?–-"))
        return clause[: draw.randint(4, 12)].rstrip("。，、")


def language_of(code: str, texts: Iterable[str] = ()) -> Language:
    """Return the language of this code, English with the sentences of `texts`. Raises KeyError for one that there is not."""
    if code == "en":
        found = (sentence for text in texts for line in text.splitlines() for sentence in _split(_plain(line)))
        return Language(code, tuple(dict.fromkeys(found)), is_whole=True)
    return _from_edition(code) if code in EDITIONS else _from_words(code)


def languages() -> tuple[str, ...]:
    """Return all codes."""
    return ("en", *EDITIONS, *_WORDS)


def _from_edition(code: str) -> Language:
    """Cut the demo articles of an edition into clauses."""
    comma, stop, gap = EDITIONS[code]
    text = " ".join(
        _plain(text)
        for article in load_edition(code).articles
        for block in article.blocks
        if block.kind in ("paragraph", "standfirst", "quote", "steps", "bullets")
        for row in block.rows
        for text in row
    )
    clauses = (clause.strip(' "“”«»‘’') for clause in re.split(r"[.!?。！？।؟,;:،，、；：—]+", text))
    return Language(code, tuple(dict.fromkeys(clause for clause in clauses if len(clause) > (3 if not gap else 12))), gap, comma, stop)


def _plain(text: str) -> str:
    """Return the text without inline marks and without characters that Markdown would read as marks."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"[*`_<>|#\[\]\\~{}$&]", "", text).split())


def _split(text: str) -> list[str]:
    return [
        part.strip() for part in re.findall(r"[^.!?。！？।؟]+[.!?。！？।؟]+[\"”’»]?", text) if 20 < len(part.strip()) < 240 or len(part) > 8
    ]


def _from_words(code: str) -> Language:
    """Combine subjects, verbs, objects and places: each clause is grammatical."""
    subjects, verbs, objects, places, gap, comma, stop = _WORDS[code]
    return Language(code, tuple(gap.join(words) for words in product(subjects, verbs, objects, places)), gap, comma, stop)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


Words = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], str, str, str]
_WORDS: dict[str, Words] = {
    "de": (
        ("die Hafenmeisterin", "der alte Fährmann", "eine Gruppe von Lehrlingen", "das kleine Museum", "der Wetterdienst", "die Werkstatt"),
        ("prüft", "beschreibt", "sucht", "vergleicht", "ordnet", "veröffentlicht", "repariert", "zeichnet"),
        ("die Karten der Küste", "ein Verzeichnis aller Boote", "den Fahrplan des Winters", "mehrere Briefe", "das neue Leuchtfeuer"),
        ("am Rand der Stadt", "seit dem Frühjahr", "in der Bibliothek", "mit großer Geduld", "vor dem ersten Schnee"),
        " ",
        ", ",
        ".",
    ),
    "fr": (
        ("la gardienne du port", "un vieux passeur", "le petit musée", "une équipe de bénévoles", "l'atelier", "le service météorologique"),
        ("vérifie", "décrit", "cherche", "compare", "classe", "publie", "répare", "dessine"),
        ("les cartes de la côte", "la liste des bateaux", "l'horaire d'hiver", "plusieurs lettres", "le nouveau phare"),
        ("au bord de la ville", "depuis le printemps", "dans la bibliothèque", "avec patience", "avant la première neige"),
        " ",
        ", ",
        ".",
    ),
    "es": (
        (
            "la encargada del puerto",
            "un viejo barquero",
            "el pequeño museo",
            "un grupo de aprendices",
            "el taller",
            "la oficina del tiempo",
        ),
        ("revisa", "describe", "busca", "compara", "ordena", "publica", "repara", "dibuja"),
        ("los mapas de la costa", "la lista de barcos", "el horario de invierno", "varias cartas", "el faro nuevo"),
        ("a las afueras de la ciudad", "desde la primavera", "en la biblioteca", "con paciencia", "antes de la primera nevada"),
        " ",
        ", ",
        ".",
    ),
    "ru": (
        ("смотрительница порта", "старый паромщик", "небольшой музей", "группа учеников", "мастерская", "служба погоды"),
        ("проверяет", "описывает", "ищет", "сравнивает", "собирает", "публикует", "чинит", "рисует"),
        ("карты побережья", "список лодок", "зимнее расписание", "несколько писем", "новый маяк"),
        ("на окраине города", "с самой весны", "в библиотеке", "с большим терпением", "до первого снега"),
        " ",
        ", ",
        ".",
    ),
    "el": (
        ("η υπεύθυνη του λιμανιού", "ένας γέρος βαρκάρης", "το μικρό μουσείο", "μια ομάδα μαθητών", "το εργαστήριο", "η υπηρεσία καιρού"),
        ("ελέγχει", "περιγράφει", "αναζητά", "συγκρίνει", "ταξινομεί", "δημοσιεύει", "επισκευάζει"),
        ("τους χάρτες της ακτής", "τον κατάλογο των πλοίων", "το χειμερινό πρόγραμμα", "πολλά γράμματα", "τον νέο φάρο"),
        ("στην άκρη της πόλης", "από την άνοιξη", "στη βιβλιοθήκη", "με υπομονή", "πριν από το πρώτο χιόνι"),
        " ",
        ", ",
        ".",
    ),
    "ja": (
        ("港の管理人が", "年老いた船頭が", "小さな博物館が", "見習いたちが", "町の工房が", "気象台が"),
        ("春から丁寧に", "図書館で静かに", "毎朝もう一度", "雪の前に急いで", "町はずれでゆっくりと"),
        ("海岸の地図を", "船の一覧を", "冬の時刻表を", "古い手紙を", "新しい灯台を"),
        ("調べている", "比べている", "整えている", "公開した", "直している", "描いている"),
        "",
        "、",
        "。",
    ),
}
"""Of each language: subjects, verbs (in Japanese adverbs), objects, places (in Japanese verbs), the gap between words, comma, full stop."""

"""Programming language of a code block, from the class names around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sightread.document.tree.inlines import Span, plain
from sightread.document.tree.nodes import Code, Node, Paragraph

_NAMED = re.compile(r"(?:language|lang|gatsby-code|src|highlight(?:-(?:source|text))?)-([\w+#.][\w+#.-]*)", re.IGNORECASE)
"""Class names of Prism and highlight.js, Gatsby, Org, Sphinx, GitHub."""
_SWITCHED = re.compile(r"(?:brush|lang):([\w+#.-]+);?", re.IGNORECASE)
"""SyntaxHighlighter (`brush: js` is two classes) and Crayon."""

_NONE = re.compile(
    "default|none|text|txt|plain|plain-?text|no-?highlight|auto|undefined|unknown|notranslate|wrap|wrapper|container|block|source|lines?"
    "|mode|selector|switch|toggle",
)
_KNOWN = re.compile(
    r"bash|sh|shell|console|zsh|powershell|python3?|py|pycon|javascript|jsx?|typescript|tsx?|json|ya?ml|toml|ini|html|xml|s?css|sql|java"
    r"|kotlin|scala|groovy|go|golang|rust|c|cpp|c\+\+|csharp|c#|objc|swift|php|ruby|rb|perl|lua|haskell|elixir|r|erlang|clojure|dart"
    r"|julia|matlab|diff|dockerfile|makefile|nginx|graphql|latex|zig|ocaml",
)
"""Languages that are recognised as a class of their own on the code element itself."""
_SYNONYMS = {"python3": "python", "ipython": "python", "ipython3": "python", "py3": "python", "html-basic": "html", "shellscript": "shell"}


_LINE_NUMBER = re.compile(r"[ \t]*(\d{1,6})(?: |(?=\D)|\Z)")
_BUTTONS = frozenset(("copy", "copy code", "copied", "copied!", "copy to clipboard"))
_SESSION = re.compile(r"\s*(?:\([\w.-]+\) ?)?\$ \S")
"""The prompt of a shell."""


def code_language(classes: Sequence[Iterable[str]], text: str) -> str:
    """Return the language by the classes of the code's element and of those around it, the innermost first; empty if none names one.

    Code that begins with a shell prompt is not Python, which Sphinx declares for all code.
    """
    language = _declared_language(classes)
    return "console" if language == "python" and _SESSION.match(text) else language


def without_labels(nodes: list[Node]) -> list[Node]:
    """Return the nodes without paragraphs right before code that are its label: a copy button, or its language, which the code then
    gets.
    """
    if not any(isinstance(node, Code) for node in nodes):
        return nodes
    found: list[Node] = []
    for node in nodes:
        while isinstance(node, Code) and found and isinstance(label := found[-1], Paragraph):
            text = plain(label.text).strip().lower()
            language = _SYNONYMS.get(text, text) if _KNOWN.fullmatch(text) else ""
            if text not in _BUTTONS and (not language or node.language not in ("", language)):
                break
            node = replace(node, language=language or node.language)
            found.pop()
        found.append(node)
    return found


def is_code_block(part: str | Span) -> bool:
    """Return whether a part is code of several lines, as in a paragraph that is code."""
    return isinstance(part, Span) and part.kind == "code" and "\n" in plain(part.children)


def without_line_numbers(text: str) -> str:
    """Return code without its line numbers, if each line begins with one, they are consecutive, and not all of the code."""
    lines = text.split("\n")
    numbers = [_LINE_NUMBER.match(line) for line in lines]
    first = numbers[0]
    if not first or any(not found or int(found[1]) != int(first[1]) + place for place, found in enumerate(numbers)):
        return text
    code = "\n".join(line[found.end() :] for line, found in zip(lines, numbers, strict=True) if found)
    return code if code.strip() else text


def _declared_language(classes: Sequence[Iterable[str]]) -> str:
    for place, names in enumerate(classes):
        held = list(names)
        for before, name in zip(["", *held], held, strict=False):
            found = _NAMED.fullmatch(name) or _SWITCHED.fullmatch(name)
            name_of_language = found[1] if found else name.strip(";") if before.lower() == "brush:" else ""
            language = _SYNONYMS.get(name_of_language.lower(), name_of_language.lower())
            if language and not _NONE.fullmatch(language):
                return language
        if place == 0:
            alone = next((name.lower() for name in held if _KNOWN.fullmatch(name.lower())), "")
            if alone:
                return _SYNONYMS.get(alone, alone)
    return ""

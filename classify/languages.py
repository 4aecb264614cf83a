"""The language of a piece of code, as the classes around it tell it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAMED = re.compile(r"(?:language|lang|gatsby-code|src|highlight(?:-(?:source|text))?)-([\w+#.][\w+#.-]*)", re.IGNORECASE)
"""How highlighters name it: Prism and highlight.js, Gatsby, Org, Sphinx, GitHub."""
_SWITCHED = re.compile(r"(?:brush|lang):([\w+#.-]+);?", re.IGNORECASE)
"""SyntaxHighlighter (`brush: js` is two classes) and Crayon."""

_NONE = re.compile(
    "default|none|text|txt|plain|plain-?text|no-?highlight|auto|undefined|unknown|notranslate|wrap|wrapper|container|block|source|lines?"
    "|mode|selector|switch|toggle",
)
_ALONE = re.compile(
    r"bash|sh|shell|console|zsh|powershell|python3?|py|pycon|javascript|jsx?|typescript|tsx?|json|ya?ml|toml|ini|html|xml|s?css|sql|java"
    r"|kotlin|scala|groovy|go|golang|rust|c|cpp|c\+\+|csharp|c#|objc|swift|php|ruby|rb|perl|lua|haskell|elixir|r|erlang|clojure|dart"
    r"|julia|matlab|diff|dockerfile|makefile|nginx|graphql|latex|zig|ocaml",
)
"""Names that say the language when they stand as a class of their own on the code itself."""
_SAME = {"python3": "python", "ipython": "python", "ipython3": "python", "py3": "python", "html-basic": "html", "shellscript": "shell"}


def code_language(classes: Sequence[Iterable[str]]) -> str:
    """Return the language by the classes of the code's element and of those around it, the innermost first; empty where none tells."""
    for place, names in enumerate(classes):
        held = list(names)
        for before, name in zip(["", *held], held, strict=False):
            found = _NAMED.fullmatch(name) or _SWITCHED.fullmatch(name)
            told = found[1] if found else name.strip(";") if before.lower() == "brush:" else ""
            language = _SAME.get(told.lower(), told.lower())
            if language and not _NONE.fullmatch(language):
                return language
        if place == 0:
            alone = next((name.lower() for name in held if _ALONE.fullmatch(name.lower())), "")
            if alone:
                return _SAME.get(alone, alone)
    return ""

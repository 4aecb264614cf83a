"""Fonts per script, as fontconfig lists them. Without one a browser draws boxes of one width, and the text is measured wrong."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from types import MappingProxyType

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "Latin": "en",
        "Greek": "el",
        "Cyrillic": "ru",
        "Hebrew": "he",
        "Arabic": "ar",
        "Devanagari": "hi",
        "Bengali": "bn",
        "Tamil": "ta",
        "Thai": "th",
        "Chinese": "zh",
        "Japanese": "ja",
        "Korean": "ko",
    }
)
"""The scripts that are checked, each with the code of a language that is written in it (ISO 639-1, as fontconfig has it)."""
EAST_ASIAN = frozenset(("Chinese", "Japanese", "Korean"))
LISTING = ("fc-list", ":", "lang")
TIMEOUT = 60.0
"""Seconds that fontconfig may take; the first call after fonts are installed builds its cache."""


def missing_scripts(platform: str = sys.platform) -> tuple[str, ...]:
    """Return the scripts that no installed font covers; all on a Linux without fontconfig's `fc-list`, none on systems that bring fonts."""
    if not platform.startswith("linux"):
        return ()
    return tuple(script for script, language in LANGUAGES.items() if language not in _languages())


def font_packages(scripts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the packages of Debian and Ubuntu that hold fonts for the scripts."""
    if not scripts:
        return ()
    east, other = EAST_ASIAN & set(scripts), set(scripts) - EAST_ASIAN
    return ("fontconfig", *(("fonts-noto-core",) if other else ()), *(("fonts-noto-cjk",) if east else ()))


def _languages() -> frozenset[str]:
    """Return the language codes that the installed fonts cover, without their regions."""
    if not shutil.which(LISTING[0]):
        return frozenset()
    try:
        listed = subprocess.run(LISTING, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    return frozenset(re.findall(r"[=|]([a-z]{2,3})(?=[-|\n])", listed.stdout + "\n"))

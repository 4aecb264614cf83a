"""MinHash signatures of texts, by which a crawl finds documents with nearly the same text among those that it has read (Broder, "On the
resemblance and containment of documents", 1997).

Two texts are compared by the share of their runs of three words that both have. A signature estimates it, with a standard error of .02;
pages are found by bands of their signatures (docs/experiments/crawling.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
from rensa import RMinHash

from sightread.render.text.words import words

LEAST_SIMILARITY = 0.8
"""Share of the runs of words from which on two texts are nearly the same."""
_RUN, _HASHES, _SEED = 3, 128, 1
_BANDS, _ROWS = 8, 6
"""Two texts of a similarity of .8 share a band with a probability of .91, of .9 of .998, of .5 of .12."""


def key_of(text: str) -> int:
    """Return a number of 64 bits by which a text is found in the state."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def signature_of(text: str, without: str = "") -> bytes | None:
    """Return the signature of a text, without the words that another text has; None if it has no words."""
    found, left_out = words(text), frozenset(words(without))
    found = [word for word in found if word not in left_out] if left_out else found
    if not found:
        return None
    hashes = RMinHash(_HASHES, _SEED)
    runs = zip(*(found[at:] for at in range(_RUN)), strict=False) if len(found) >= _RUN else [found]
    hashes.update(list(map(" ".join, runs)))
    return np.array(hashes.digest(), np.uint32).tobytes()


def similarity(one: bytes, other: bytes) -> float:
    """Return the share of the runs of words that two texts have in common, 0 to 1, as their signatures estimate it."""
    return float(np.mean(np.frombuffer(one, np.uint32) == np.frombuffer(other, np.uint32)))


def bands_of(signature: bytes, site: int) -> Iterator[int]:
    """Yield the keys of the bands of a signature: of similar texts of a site, at least one is probably the same."""
    width = _ROWS * np.dtype(np.uint32).itemsize
    for band in range(_BANDS):
        yield key_of(f"{site} {band} {signature[band * width : (band + 1) * width].hex()}")

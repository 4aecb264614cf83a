"""The clusterings of a site's blocks by their look, behind one interface.

A clustering gives equal blocks equal clusters, knows nothing of the order of the blocks but for the numbers that it gives, and depends on
no chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings.dbscan import dbscan
from sightread.labeling.clusterings.hdbscan import hdbscan
from sightread.labeling.evidence.signature import SignatureTable


class Clustering(Protocol):
    """A function that clusters a table of signatures."""

    def __call__(self, table: SignatureTable, /) -> NDArray[np.int32]:
        """Return the cluster of each block, counted from 0 without gaps; -1 is noise."""
        ...


CLUSTERINGS: Mapping[str, Clustering] = MappingProxyType({"dbscan": dbscan, "hdbscan": hdbscan})
"""By name. DBSCAN is the paper's and the default; HDBSCAN needs no radius."""

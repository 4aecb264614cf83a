"""Types of arrays by their elements; each docstring of a field or function gives the shape."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Features: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = NDArray[np.intp]
Labels: TypeAlias = NDArray[np.int8]
"""1 for content, 0 for boilerplate, -1 if unknown (`sightread.render.labels`)."""

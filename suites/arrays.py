"""The type of arrays of float64 numbers, which all parts of firsthit use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""An array of any shape; comments and docstrings state the shape."""

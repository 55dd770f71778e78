"""Observe problems, record the first hits of targets, and write and read logs in HDF5.

Names are imported when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

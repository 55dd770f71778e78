"""Built-in optimizers: one module for each package, an adapter of a few lines for each optimizer.

`registry.py` lists them. To add one, copy `pybobyqa.py` and name its `OPTIMIZERS` there.
"""

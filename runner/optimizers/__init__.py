"""Resolve the optimizer of a user (a callable, an ask/tell class or a text) to a function.

The function makes one start of a run.

To add an optimizer of a package, write a file in ``adapters`` like ``adapters/cmaes.py``.
"""

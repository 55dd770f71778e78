"""From what a user gives (a callable, an ask/tell class, a text) to a function for one start.

To add an optimizer of a package, write a file in ``adapters`` like ``adapters/cmaes.py``.
"""

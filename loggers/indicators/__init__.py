"""Quality indicators: what turns the evaluations of a run into one number that targets apply to.

One file an indicator; `registry.py` finds them by name. To add one, copy `best_feasible.py` and
register it with `register_indicator`.
"""

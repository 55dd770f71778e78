"""Quality indicators, which compute from the evaluations of a run the number that targets apply to.

Each indicator has a file, and `registry.py` finds indicators by name. To add an indicator, copy
`best_feasible.py` and list the class in `registry.py`. Code outside of firsthit registers its class
with `register_indicator`.
"""

"""Distributions side by side: runtimes to single targets and precisions at budgets, single curves.

To add one, copy `joint`.
"""

"""Figures over all evaluations of runs: attainment, differences of it, noted parameters.

Each file draws one kind from its table; `..gallery` names them.
"""

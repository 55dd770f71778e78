"""Figures of two objectives: fronts of algorithms, and what a share of their runs attains.

Each file draws from its tables; `..gallery` names the kinds.
"""

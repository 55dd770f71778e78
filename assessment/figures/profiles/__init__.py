"""Figures of several profiles at once: function by function, joint, and cut convergence curves.

To add one, copy `joint` and name it in `gallery`.
"""

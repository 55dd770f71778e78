"""Target precisions: the grids at which first hits are recorded.

A grid is a `TargetGrid`; an indicator names the one it needs. A further grid is added in `grid.py`.
"""

"""Target precisions at which first hits are recorded, and the schedule of evaluation counts.

Each indicator names a `TargetGrid`. Add further grids in `grid.py`.
"""

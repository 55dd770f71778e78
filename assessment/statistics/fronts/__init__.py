"""Sets of points in the plane of two objectives, both minimised: which count, how good they are.

Pure functions on arrays of shape ``(n, 2)``. Which share of runs attains a point is in
``..anytime.attainment``, with the two objectives for budget and precision.
"""

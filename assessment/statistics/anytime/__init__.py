"""How good a run is at any time: the area over its convergence curve, the attainment of many runs.

One file a measure, each a pure function on arrays. Add one as a file here.
"""

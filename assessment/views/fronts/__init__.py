"""Tables of runs on two objectives: indicators of their archives, fronts, attainment surfaces.

Each file has one function from `Archives` to a `Table`; copy the shortest to add one.
"""

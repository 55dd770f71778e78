"""Tables over all evaluations of runs at once: areas over curves, attainment, noted parameters.

Each file has one function from data to a `Table`; copy the shortest to add one.
"""

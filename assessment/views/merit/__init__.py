"""Tables of algorithms as rivals and as members of a portfolio: ranks, the matrix.

Each file has one function from data to a `Table`.
"""

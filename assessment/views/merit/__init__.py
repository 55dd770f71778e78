"""Tables of algorithms as rivals and as members of a portfolio: ranks, contributions, the matrix.

Each file has one function from data to a `Table`; copy `contributions` to add one.
"""

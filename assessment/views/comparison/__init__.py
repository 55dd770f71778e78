"""Tables of two algorithms, or of two versions of one.

Their numbers depend on which are compared; those of the folder above never do.
"""

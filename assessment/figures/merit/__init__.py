"""Figures of algorithms as rivals: the critical-difference diagram.

Each file draws one kind from its table; `..gallery` names them.
"""

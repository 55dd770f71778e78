"""Average ranks of algorithms over functions: the table, and the critical-difference diagram."""

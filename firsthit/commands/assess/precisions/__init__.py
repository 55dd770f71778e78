"""Tables of the precision that is reached within budgets."""

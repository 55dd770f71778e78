"""Tables that take all functions of a dimension together: ranks, and the worth of portfolios."""

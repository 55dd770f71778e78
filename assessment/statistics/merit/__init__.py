"""How algorithms stand to each other: ranks and their tests, games, shares in a portfolio.

One file a method, each of pure functions on arrays. Add one as a file here.
"""

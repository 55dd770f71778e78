"""Built-in optimizers for two objectives alone: one module for each package.

Adapters as those beside this folder; what a package offers for one and for two objectives alike
stands there. None ends by itself, but for COMO-CMA-ES.
"""

"""Built-in optimizers: one module for each package, with a few lines for each optimizer.

The table `OPTIMIZERS` of a module is registered automatically. To add an optimizer, copy
`pybobyqa.py`. An adapter is a function that receives the arguments that its signature names from
those that a run offers (`OFFERED` in `resolve.py`), and the campaign's parameters. If a package has
many methods, one function serves them all and receives the name of the method first (see `Method`).
An adapter passes the start point, the bounds and the seed of the start to the package, evaluates
batches if the package can, and returns the package's stop reason and its count of evaluations.

`integers` and `constraints` of `BuiltIn` say whether the package is told of them. An optimizer
without constraints has the parameter `penalty` (`penalized.py`), and is refused on a constrained
problem if the parameter is missing (`../../campaign/checks.py`).
"""

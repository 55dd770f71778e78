"""Built-in optimizers: one module for each package, an adapter of a few lines for each optimizer.

What a module says under `OPTIMIZERS` is found by itself. To add one, copy `pybobyqa.py`. An adapter
is called with the package's name for the method where it has many (see `Method`), with what it
names of what is on offer (`OFFERED` in `resolve.py`), and with the campaign's parameters. It
passes on the start point, the bounds and the seed of the start, evaluates in batches where the
package can, and returns the package's reason for stopping and its count of evaluations.

`integers` and `constraints` say whether it is told of these; one that knows no constraints takes
the parameter `penalty` (`penalized.py`), and is refused without it (`../../campaign/checks.py`).
"""

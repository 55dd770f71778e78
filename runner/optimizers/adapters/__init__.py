"""Built-in optimizers: one module for each package, an adapter of a few lines for each optimizer.

`../registry.py` lists them. To add one, copy `pybobyqa.py` and name the module there. An adapter
is called with the package's name for the method where it has many (see `Method`), with what it
names of what is on offer (`OFFERED` in `arguments.py`), and with the campaign's parameters.
`knows` says whether it is told of integer variables and constraints; one that knows no constraints
takes the parameter `penalty` (`penalized.py`), and is refused without it (`../suitability.py`).
"""

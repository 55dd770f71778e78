"""What logs mean: runtimes, their averages and distributions, as functions, tables and figures.

Its floors, from the ground up: `statistics` (each formula once, on arrays), `tables` (the type of
all answers), `targets`, `data` (runs sorted for a question), `views` (one file a table), `figures`
and `report`. `load` gives `Results`, a thin door to the views; add a question as a file in `views`
and a method there.

Names are imported when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

"""What logs mean: runtimes, their averages and distributions, as functions, tables and figures.

Its floors, from the ground up: `statistics` (each formula once, on arrays), `tables` (the type of
all answers), `targets`, `data` (the runs of a log, selected and sorted), `figures` (what all look
like), `asking` (what makes a method, a command, figures and a section of the report of a question),
`questions`, `report`. `load` gives `Results`. To add a question, add a file to `questions`.

Names are imported when they are first used; ``__init__.pyi`` lists them. All else is imported from
its module.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

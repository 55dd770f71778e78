"""The front door of firsthit: benchmark black-box optimizers.

A suite provides problems, an observer logs the first evaluation at which each target is hit, an
assessment computes runtimes from the logs::

    import firsthit, scipy.optimize

    with firsthit.Observer("nm.h5", algorithm="nelder-mead") as observer:
        for problem in observer(firsthit.Suite("bbob", dimensions=[2, 5])):
            scipy.optimize.fmin(problem, problem.initial_solution, disp=False)
    print(firsthit.load("nm.h5").art(targets=[1e1, 1e-8]))

Names are imported when they are first used, so that the command line answers at once;
``__init__.pyi`` lists them.
"""

import lazy_loader as _lazy

_get_public_name, __dir__, _names = _lazy.attach_stub(__name__, __file__)
__all__ = sorted({*_names} - {"assessment", "bridges", "loggers", "runner", "suites"})


def __getattr__(name: str) -> object:
    """Return a public name, imported now, or ``__version__``, read now."""
    if name == "__version__":
        from .loggers.records.writer_version import version_number

        return version_number()
    return _get_public_name(name)

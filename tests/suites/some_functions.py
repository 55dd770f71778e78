"""Choose functions of a suite for fast tests; compiling the kernel of a function takes seconds."""

from firsthit.suites import Suite


def some_functions(name):
    """Return evenly spaced functions of a suite, including the first one.

    These are four or five functions, or two of a suite with two objectives. For bbob, these are all
    functions, because other tests compile their kernels as well.
    """
    suite = Suite(name)
    many = 1 if suite[0].number_of_objectives == 2 else 4
    step = 1 if name == "bbob" else (len(suite.functions) - 1) // many
    return suite.functions[::step]

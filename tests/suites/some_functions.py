"""What the default tier looks at: each function has a kernel to compile, of one to two seconds."""

from firsthit.suites import Suite


def some_functions(name):
    """Four or five of a suite, spread over it, of pairs of functions the first and the last.

    Of bbob all, whose kernels other tests use too.
    """
    suite = Suite(name)
    many = 1 if suite[0].number_of_objectives == 2 else 4
    step = 1 if name == "bbob" else (len(suite.functions) - 1) // many
    return suite.functions[::step]

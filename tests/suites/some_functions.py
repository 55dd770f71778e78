"""What the default tier looks at: each function has a kernel to compile, of one to two seconds."""

from firsthit.suites import Suite


def some_functions(name):
    """Four or five of a suite, spread over it; of bbob all, whose kernels other tests use too."""
    functions = Suite(name).functions
    return functions if name == "bbob" else functions[:: max(1, len(functions) // 4)]

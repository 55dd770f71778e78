import numpy as np

import firsthit

FUNCTIONS = [lambda x: np.sum(x**2), lambda x: np.sum(np.abs(x))]


@firsthit.register_suite("two-functions", functions=[1, 2], dimensions=[2, 5], instances="1-5")
def make(function, dimension, instance):
    return firsthit.problem_from(
        FUNCTIONS[function - 1],
        dimension,
        instance=instance,
        optimal_value=0.0,
        transformation="shift",
    )


print(firsthit.Suite("two-functions"))

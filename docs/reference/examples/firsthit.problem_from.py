import numpy as np

import firsthit


def sphere(x):
    return float(x @ x)


problem = firsthit.problem_from(sphere, 3, optimal_value=0.0, transformation="shift")
print(problem(np.zeros(3)))
print(problem(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])))

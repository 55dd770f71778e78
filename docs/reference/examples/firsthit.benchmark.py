import scipy.optimize

import firsthit


def simplex(problem, x0, bounds):
    scipy.optimize.minimize(problem, x0, method="Nelder-Mead", bounds=bounds)


results = firsthit.benchmark(
    {"simplex": simplex, "random": "random-search"},
    "bbob",
    functions=[1, 8],
    dimensions=2,
    instances="1-5",
    budget="200*D",
)
print(results.art(targets=[1e1, 1e-1]))

"""The (1+1) evolution strategy with the one-fifth success rule."""


def solve(problem, x0, rng):
    """Minimize a problem; note the step size."""
    x, fx, sigma = x0, problem(x0), 2.0
    while True:  # the budget ends the run
        problem.note(sigma=sigma)
        y = x + sigma * rng.standard_normal(problem.dimension)
        fy = problem(y)
        if fy <= fx:
            x, fx, sigma = y, fy, sigma * 1.5
        else:
            sigma *= 1.5**-0.25

from firsthit import Suite

problem = Suite("bbob").problem(function=3, dimension=2, instance=1)
print(problem.id, problem.name)
print(problem.lower_bounds, problem.upper_bounds)
print(problem([0.0, 0.0]), problem.optimal_value)

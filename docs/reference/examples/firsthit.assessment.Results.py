import firsthit

results = firsthit.load("results/quickstart.h5")
print(results.filter(algorithms="DE", dimensions=5))
print(results.art(functions=1, dimensions=5, targets=[1e1, 1e-8]))
results.plot.ecdf(dimensions=5)

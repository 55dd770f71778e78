import firsthit

results = firsthit.load("results/quickstart.h5")
print(results)
print(len(results), results.algorithms, results.dimensions)

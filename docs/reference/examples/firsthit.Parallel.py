import firsthit

results = firsthit.benchmark(
    "random-search",
    "bbob",
    functions=1,
    dimensions=2,
    instances="1-5",
    budget=200,
    parallel=firsthit.Parallel(evaluators=4, duration="lognormal(0, 0.5)"),
)
print(results.art(targets=[1e1, 1e0], count="seconds"))

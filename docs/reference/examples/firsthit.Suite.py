import firsthit

suite = firsthit.Suite("bbob", functions="1-3", dimensions=[2, 5], instances=1)
print(suite, len(suite))
for problem in suite:
    print(problem.id, problem.name, problem(problem.initial_solution))

from firsthit import Observer, Suite

suite = Suite("bbob", functions=1, dimensions=2, instances=1)
with Observer("results/observed.h5", algorithm="none", overwrite=True) as observer:
    for problem in observer(suite):
        print(problem.id, problem.dimension, problem.bounds)
        problem(problem.initial_solution)
        print(problem.evaluations, problem.final_target_hit)

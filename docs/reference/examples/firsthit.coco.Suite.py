from firsthit import coco as cocoex

suite = cocoex.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1,2")
for problem in suite:
    print(problem.id, problem(problem.initial_solution))

import scipy.optimize

import firsthit

suite = firsthit.Suite("bbob", functions=[1, 8], dimensions=2, instances="1-5")
with firsthit.Observer("results/nm.h5", algorithm="nelder-mead", overwrite=True) as observer:
    for problem in observer(suite):
        scipy.optimize.fmin(problem, problem.initial_solution, disp=False)
print(firsthit.load("results/nm.h5").art(targets=[1e1, 1e-8]))

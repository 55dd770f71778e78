"""A campaign file with a value under almost every key."""

VALID = b"""\
suite: bbob
functions: 1-3,7
dimensions: [2, 3]
instances: "1-2"
optimizers:
  - random-search
  - {use: 'scipy:L-BFGS-B', name: lbfgs, restarts: 3}
  - use: scipy:differential_evolution
    parameters: {popsize: [4, 8], polish: false}
    restarts: {most: 2, multiply: {popsize: 2}}
budget: "[1, 2, 5] * dimension"
restarts: null
repetitions: 2
seed: 7
final_target: true
timeout: 1.5
record: improvements
workers: all
output: results/x.h5
tuning: {by: nobody, when: 2026-11-20}
"""

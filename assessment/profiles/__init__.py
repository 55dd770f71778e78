"""Runtime profiles, which several questions and the report share.

`function_pairs` computes the runtimes to all targets of one function. `profiles` averages them over
functions into curves. `background` computes the curves of other algorithms in the background.
"""

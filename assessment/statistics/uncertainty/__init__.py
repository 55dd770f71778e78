"""What intervals, bands and tests are made of: means of few values, and runs that repeat instances.

`mean_intervals` says where a mean may lie, `repetitions` which runs belong to one instance, and
`rank_tests` where a rank sum stands among all that chance could have given.
"""

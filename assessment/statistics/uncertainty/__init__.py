"""What intervals, bands and tests are made of: means of few values, and runs that repeat instances.

`mean_intervals` says where a mean may lie, `repetitions` which runs belong to one instance,
`resampled_profiles` what the profile of a function might have been, `rank_distributions` how sums
of ranks are distributed by chance, and `rank_tests` where one stands in it, instance by instance.
"""

"""Runtimes of an algorithm restarted until it succeeds: their distribution, and bands of it.

`distribution` writes the distribution down, of one target or of many at once, with the compiled
loops of `failures`; `kernel` is the compiled loop behind the bands of profiles.
`average_runtime.simulated_runtimes` draws from it.
"""

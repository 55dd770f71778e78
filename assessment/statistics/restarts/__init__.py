"""Runtimes of an algorithm restarted until it succeeds: exact, simulated, and from resampled runs.

`distribution` writes the distribution down, `simulation` draws from the runs at hand, `kernel` is
the compiled loop behind the bands of profiles.
"""

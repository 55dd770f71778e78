"""Compilation of kernels: elementary functions, operators, wrappers, machine code and its cache.

A suite writes a kernel once, for single points and for batches; ``kernel`` defines its arguments.
``compilation`` binds a kernel to the constants of one problem and returns functions that evaluate
points. ``operators`` holds transforms of points that are compiled into every wrapper, and
operations that many kernels call. To add such a transform, change ``operators`` only.
"""

"""From a kernel to machine code: elementary functions, operators, wrappers around kernels, cache.

A suite writes a kernel once, for points and for batches, and hands it with its constants to
``compilation``. To add an operation that kernels share, write it in ``operators``; an input
transform there needs nothing else.
"""

"""Optimizers that close, fill or limit descriptors and memory."""

import contextlib
import os
import sys
from pathlib import Path

import numpy as np
from kinds import kind, ten


@kind("terminated", alone=True)
def closes_standard_streams(problem):
    ten(problem)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()
    for descriptor in range(3):
        with contextlib.suppress(OSError):
            os.close(descriptor)


@kind("failed", "wrote something else to the pipe for its answers, twice", alone=True)
def writes_to_all_descriptors(problem):
    ten(problem)
    for descriptor in range(64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"garbage\0" * 100)


@kind("terminated", alone=True)
def prints_50_megabytes(problem):
    ten(problem)
    for _ in range(50):
        print("x" * 2**20)


@kind("terminated", alone=True)
def limits_descriptors(problem):
    import resource

    ten(problem)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


@kind("failed", "Unable to allocate", alone=True)
def limits_memory(problem):
    import resource

    ten(problem)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + 2**26
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    np.ones(2**27)

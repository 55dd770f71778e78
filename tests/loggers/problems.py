"""Problems with known values, and the comparison of logs, for all tests of the loggers."""

from collections.abc import Sequence

import numpy as np

from firsthit.suites import Problem, problem_from


def scripted(values: Sequence[float], reference: float | None = 0.0, dimension: int = 2) -> Problem:
    """A problem whose value at ``x`` is ``values[x[0]]``."""
    table = np.array(values, dtype=float)
    return problem_from(
        lambda x: float(table[int(x[0])]),
        dimension,
        name="scripted",
        reference_value=reference,
        batch=lambda points: table[points[:, 0].astype(int)],
    )


def sphere(dimension: int = 3, instance: int = 1) -> Problem:
    return problem_from(
        lambda x: float(x @ x),
        dimension,
        name="sphere",
        instance=instance,
        optimal_value=0.0,
        batch=lambda points: np.einsum("ij,ij->i", points, points),
    )


def equal(one, other):
    """Whether two logs hold the same runs, text for text and row for row, under any headers."""
    a, b = one._table, other._table
    columns = set(a.runs.dtype.names) - {"header"}
    texts = ("algorithms", "suites", "functions", "messages", "references")
    return (
        all(getattr(a, name) == getattr(b, name) for name in texts)
        and all(a.runs[name].tobytes() == b.runs[name].tobytes() for name in columns)
        and all(
            entries.lengths.tolist() == b.ragged[name].lengths.tolist()
            and entries.load().rows.tobytes() == b.ragged[name].load().rows.tobytes()
            for name, entries in a.ragged.items()
        )
    )

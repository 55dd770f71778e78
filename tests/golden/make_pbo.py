"""Make ``pbo.csv``: values of ioh in its suite PBO, for machines without ioh.

Run ``python tests/golden/make_pbo.py``; it was last run with ioh 0.3.22. A row has two points as
hexadecimal numbers, first bit first, and their values, which ioh maximises.
"""

import csv
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("pbo.csv")
DIMENSIONS = (16, 23, 25, 64, 100)
INSTANCES = (1, 2, 50, 51, 100, 150)
SQUARES = (20, 21, 23)


def bits(text: str, dimension: int) -> np.ndarray:
    """Return the bits of a hexadecimal number, shape ``(dimension,)``."""
    return np.array(list(f"{int(text, 16):0{dimension}b}"), dtype=np.int64)


def main() -> None:
    """Write the file beside this script."""
    import ioh

    rng = np.random.default_rng(1)
    with FILE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["function", "dimension", "instance", "points", "values"])
        for function in range(1, 26):
            for dimension in DIMENSIONS:
                if function in SQUARES and dimension == 23:
                    continue
                for instance in INSTANCES:
                    few, many = rng.random(dimension) < 0.5, rng.random(dimension) < 0.9
                    texts = [hex(int("".join(map(str, x.astype(int))), 2)) for x in (few, many)]
                    problem = ioh.get_problem(function, instance, dimension, ioh.ProblemClass.PBO)
                    values = [problem(bits(text, dimension).tolist()) for text in texts]
                    numbers = " ".join(map(repr, values))
                    writer.writerow([function, dimension, instance, " ".join(texts), numbers])


if __name__ == "__main__":
    main()

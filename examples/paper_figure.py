"""From a log to a figure for a paper: a PDF as wide as a column, and the table beside it.

pip install 'firsthit[figures]'
python examples/paper_figure.py
"""

from pathlib import Path

import firsthit


def main(folder="."):
    log = Path(folder, "paper.h5")
    optimizers = {"simplex": "scipy:Nelder-Mead", "DE": "scipy:differential_evolution"}
    few = {"functions": [1, 8, 15], "dimensions": [2, 3], "instances": "1-5"}
    firsthit.benchmark(
        optimizers, "bbob", budget="100 * dimension", output=log, overwrite=True, **few
    )
    results = firsthit.load(log)  # from here on, only the log is needed
    profile = results.plot.ecdf(dimensions=3)
    profile.set_title("3 functions of bbob in 3-D")
    profile.figure.savefig(Path(folder, "profile.pdf"))
    results.art(targets=[1e1, 1e-1, 1e-8], dimensions=3).to_latex(Path(folder, "table.tex"))
    print(results.art(targets=[1e1, 1e-1, 1e-8], dimensions=3, interval=0.95))
    return results


if __name__ == "__main__":
    main()

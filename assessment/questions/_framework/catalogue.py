"""List the questions of firsthit without importing them.

``firsthit assess --help`` and ``firsthit figures --help`` print names and summaries from this list,
because an import of numpy alone takes longer than help may take. The registry finds the modules of
questions, figures and sections in it. Everything else about a question is declared beside its
function. A test compares this list with the declarations and prints the lines that differ.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """Entry of a question.

    Attributes:
        module: Module of its function in `assessment.questions`. The figures of a question in a
            module ``NAME.table`` are declared in ``NAME.figures``.
        summary: First line of its docstring, without capital and full stop.
        figures: Kinds of its figures, in the order of their declaration.
        has_drawing_options: Whether a figure has options of its own. Only then does the command of
            the question import the module of its figures, which takes 10 ms, for a table alone.
    """

    module: str
    summary: str
    figures: tuple[str, ...] = ()
    has_drawing_options: bool = False


QUESTIONS_BY_HEADING: dict[str, dict[str, Entry]] = {
    "To begin with": {
        "summary": Entry(
            "summary.table",
            "show how much each algorithm reached, and how fast: the table of 'firsthit run'",
        ),
        "art": Entry("art.table", "compute the average runtime to each target", ("art", "heatmap")),
        "ecdf": Entry(
            "ecdf.table",
            "compute runtime profiles: share of function-target pairs solved in a budget",
            ("ecdf", "ecdf-functions", "ecdf-dimensions"),
            has_drawing_options=True,
        ),
        "compare": Entry(
            "compare", "compare pairs of algorithms: ratio, interval, test, conclusion"
        ),
        "fixed-budget": Entry(
            "fixed_budget",
            "compute statistics of the precision reached within budgets",
            ("convergence", "fixed-budget"),
            has_drawing_options=True,
        ),
    },
    "Evaluations to targets": {
        "areas": Entry(
            "areas", "compute the area under each runtime profile, and its geometric mean runtime"
        ),
        "fixed-target": Entry(
            "fixed_target", "compute statistics of the runtimes to single targets"
        ),
        "scaling": Entry(
            "scaling.table",
            "compute the average runtime by dimension",
            ("scaling", "scaling-functions"),
        ),
        "dual-ecdf": Entry(
            "dual_ecdf",
            "compute distributions of runtimes to single targets, and of precisions at budgets",
            ("dual-ecdf",),
            has_drawing_options=True,
        ),
        "runtimes": Entry(
            "runtimes", "list the evaluation at which each run first hit each target"
        ),
        "runtime-density": Entry(
            "density",
            "estimate densities, or masses, of the runtimes to targets",
            ("runtime-density",),
        ),
        "targets": Entry(
            "targets", "choose sets of targets by name, such as run-length based ones"
        ),
    },
    "Precision within budgets": {
        "precision-ecdf": Entry(
            "precision_ecdf",
            "compute the share of runs within each precision, at budgets",
            ("precision",),
        ),
        "precision-density": Entry(
            "density",
            "estimate densities, or masses, of the precisions at budgets",
            ("precision-density",),
        ),
        "cuts": Entry(
            "cuts", "cut the convergence of each run at budgets and at targets", ("cuts",)
        ),
        "aocc": Entry(
            "aocc", "compute the area over the convergence curve: one number for all budgets"
        ),
        "attainment": Entry(
            "attainment",
            "compute the precision that a share of the runs had, by budget",
            ("attainment",),
        ),
        "attainment-difference": Entry(
            "attainment",
            "show where two algorithms differ in attainment",
            ("attainment-difference",),
        ),
    },
    "Archives of two objectives": {
        "indicators": Entry(
            "indicators", "compute hypervolume, IGD+ and epsilon of archives within budgets"
        ),
        "fronts": Entry(
            "fronts",
            "find the best points of each algorithm on each problem",
            ("fronts",),
            has_drawing_options=True,
        ),
        "surfaces": Entry(
            "surfaces", "compute what one, half or all of the runs attain", ("surfaces",)
        ),
        "surface-difference": Entry(
            "surfaces",
            "show where two algorithms differ in what their runs attain",
            ("surface-difference",),
        ),
    },
    "Algorithms against each other, function by function": {
        "coco-table": Entry(
            "coco_table", "divide average runtimes by those of a reference, in COCO's layout"
        ),
        "loss": Entry(
            "loss",
            "compute how many times longer than a reference algorithms take, by budget",
            ("loss",),
        ),
        "best": Entry(
            "best", "find the algorithm with the smallest average runtime to each target"
        ),
        "scatter": Entry(
            "pairs", "show the average runtimes of two algorithms as points", ("scatter",)
        ),
        "ratios": Entry(
            "pairs", "compute the distribution of the runtime ratios of two algorithms", ("ratios",)
        ),
    },
    "Algorithms over all functions of a dimension": {
        "ranks": Entry(
            "ranks.table",
            "compute average ranks with intervals and tests, Glicko-2 ratings, and tests of pairs",
            ("critical-difference", "ranks-over-budgets"),
        ),
        "matrix": Entry(
            "matrix",
            "tabulate problems x algorithms with the virtual best, and the gap to it",
        ),
        "contributions": Entry(
            "matrix", "compute what each algorithm adds to a portfolio: Shapley values"
        ),
        "data-profile": Entry(
            "convergence_profiles",
            "compute data profiles (Moré and Wild): problems solved within simplex gradients",
            ("data-profile",),
        ),
        "performance-profile": Entry(
            "convergence_profiles",
            "compute performance profiles (Dolan and Moré): problems solved by ratio to the best",
            ("performance-profile",),
        ),
    },
    "Runs": {
        "termination": Entry(
            "termination", "count how runs ended, and how often they were restarted"
        ),
        "restarts": Entry(
            "restarts",
            "list every start of every run, with the reason of each restart",
            ("restarts",),
        ),
        "tuning": Entry("parameters", "list settings tested and budget invested before the runs"),
        "parameters": Entry(
            "parameters",
            "list the parameters that algorithms noted while they ran",
            ("parameters",),
        ),
        "timing": Entry("timing", "compute the seconds per evaluation, in optimizer and problem"),
        "points": Entry("points", "list the points that runs recorded, with their values"),
    },
}
"""Heading of the help to its questions by name, beginning with those that a new user needs."""

DEFAULT_FIGURES = (
    "heatmap", "ecdf", "convergence", "scaling", "precision", "surfaces", "loss",
    "critical-difference",
)  # fmt: skip
"""Kinds that ``firsthit figures`` draws if no kinds are named."""

SECTION_MODULES = (
    "art.section", "ecdf.section", "fixed_budget", "parameters", "scaling.table", "surfaces",
    "termination", "timing",
)  # fmt: skip
"""Modules in `assessment.questions` that declare sections of the report."""

"""Every question of `Results`, asked once: what contract tests go through."""

import inspect

from firsthit.assessment import Results
from firsthit.assessment.asking import registry


def ends(results):
    """The first and the last algorithm."""
    return results.algorithms[0], results.algorithms[-1]


QUESTIONS = {
    "runtimes": lambda r: r.runtimes(),
    "art": lambda r: r.art(interval=0.95, reference=ends(r)[0]),
    "ecdf": lambda r: r.ecdf(interval=0.95),
    "areas": lambda r: r.areas(budget=100),
    "fixed_target": lambda r: r.fixed_target(),
    "fixed_budget": lambda r: r.fixed_budget(),
    "aocc": lambda r: r.aocc(10, interval=0.95),
    "attainment": lambda r: r.attainment(),
    "attainment_difference": lambda r: r.attainment_difference(*ends(r)),
    "precision_ecdf": lambda r: r.precision_ecdf(),
    "dual_ecdf": lambda r: r.dual_ecdf(reference="best"),
    "cuts": lambda r: r.cuts(10, 1.0),
    "indicators": lambda r: r.indicators(),
    "fronts": lambda r: r.fronts(),
    "surfaces": lambda r: r.surfaces(),
    "surface_difference": lambda r: r.surface_difference(*ends(r)),
    "runtime_density": lambda r: r.runtime_density(),
    "precision_density": lambda r: r.precision_density(),
    "targets": lambda r: r.targets("runlength", "best"),
    "compare": lambda r: r.compare(),
    "ranks": lambda r: r.ranks(),
    "matrix": lambda r: r.matrix(),
    "contributions": lambda r: r.contributions(10),
    "regressions": lambda r: r.regressions(r),
    "best": lambda r: r.best(),
    "loss": lambda r: r.loss("best"),
    "coco_table": lambda r: r.coco_table(reference="best"),
    "scaling": lambda r: r.scaling(),
    "summary": lambda r: r.summary(),
    "termination": lambda r: r.termination(),
    "restarts": lambda r: r.restarts(),
    "parameters": lambda r: r.parameters(),
    "tuning": lambda r: r.tuning(),
    "timing": lambda r: r.timing(),
    "data_profile": lambda r: r.data_profile(),
    "performance_profile": lambda r: r.performance_profile(),
    "scatter": lambda r: r.scatter(*ends(r)),
    "ratios": lambda r: r.ratios(*ends(r)),
}
OF_TWO_OBJECTIVES = ("indicators", "fronts", "surfaces", "surface_difference")
NO_TABLE_OF_RUNS = ("measured_from", "hypervolume_references", "explore", "filter")
"""They give results, references and a page."""


def asked():
    """The questions of `Results`, by name."""
    methods = [name for name, _ in inspect.getmembers(Results, inspect.isfunction)]
    methods = [name for name in methods if name[0] != "_" and name not in NO_TABLE_OF_RUNS]
    return sorted({*methods, *registry.names()})

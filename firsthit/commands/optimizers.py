"""``firsthit optimizers``: the built-in optimizers, and whether they run here."""

from __future__ import annotations

from typing import Any

import click

from .listing import print_rows

_DIMENSION = 3
_EVALUATIONS = 300


@click.command()
@click.option("--run", "really", is_flag=True, help="Really run each for a moment.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
def command(really: bool, form: str) -> None:
    """List the built-in optimizers with their parameters.

    Others are named 'module:function' or 'path/file.py:function'.
    """
    from ..runner import BUILT_IN

    rows = [
        {
            "optimizer": name,
            "about": built_in.about,
            "here": _tried(name) if really else _installed(built_in),
            "parameters": ", ".join(_parameters(built_in)),
        }
        for name, built_in in BUILT_IN.items()
    ]
    print_rows(rows, form)


def _installed(built_in: Any) -> str:
    return "installed" if built_in.is_installed else f"needs {built_in.package}"


def _parameters(built_in: Any) -> list[str]:
    import inspect

    parameters = inspect.signature(built_in.solve).parameters.values()
    named = [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    return named + ["…" for p in parameters if p.kind is inspect.Parameter.VAR_KEYWORD]


def _tried(name: str) -> str:
    """Whether a short run on a sphere ends well."""
    from ..runner import OptimizerRef, RunRules, RunSpec, parse_budget, run_one
    from ..suites import FirsthitError, problem_from

    problem = problem_from(
        _sphere, _DIMENSION, optimal_value=0.0, optimal_solution=0.0, transformation="shift"
    )
    try:
        record = run_one(
            RunSpec(problem, OptimizerRef(name, name), RunRules(parse_budget(_EVALUATIONS)))
        )
    except FirsthitError as error:
        return str(error)
    return record.error if record.status == "failed" else "runs"


def _sphere(x: Any) -> float:
    return float((x**2).sum())

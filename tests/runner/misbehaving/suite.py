"""The suite on which misbehaving optimizers run: a shifted sphere that counts its calls."""

from kinds import add_to_tally

import firsthit


def sphere(x):
    value = float((x**2).sum())
    add_to_tally(value)
    return value


@firsthit.register_suite("misbehaviour", functions=[1], dimensions=[3], instances=[1, 2])
def suite(function, dimension, instance):
    return firsthit.problem_from(
        sphere, dimension, instance=instance, transformation="shift", optimal_value=0.0
    )  # fmt: skip

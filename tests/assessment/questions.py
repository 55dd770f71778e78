"""Every question of the registry, asked: what contract tests go through."""

from firsthit.assessment.asking import registry

INDEX = registry.index()["questions"]
OF_TWO_OBJECTIVES = {name for name, one in INDEX.items() if "two objectives" in one["needs"]}


def options_of(name):
    """The names of its own options."""
    return {option["name"] for option in INDEX[name]["options"]}


def required(name):
    """Values of what must be given, or be there in every log."""
    if name == "targets":
        return {"way": "dynamic"}
    if name in ("aocc", "contributions"):
        return {"budget": 10}
    values = {"text": "10", "int": 3, "float": 1.0}
    options = [option for option in INDEX[name]["options"] if option["required"]]
    return {option["name"]: values[option["kind"]] for option in options}


def ask(results, name, **options):
    """Its table; of the first and the last algorithm where two are compared."""
    pair = (results.algorithms[0], results.algorithms[-1]) if INDEX[name]["two"] else ()
    return getattr(results, name.replace("-", "_"))(*pair, **required(name) | options)

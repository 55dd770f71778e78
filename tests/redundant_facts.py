"""Find facts of COCO's and IOHprofiler's data that contradict each other, by loops over the text.

A damaged data set that is read without a note must not contain such a contradiction. The functions
take the files of a data set by name, and return a text on the first contradiction, or an empty one.
Lines that are no numbers count as no contradiction, because the readers refuse them.
"""

import contextlib
import itertools
import json
import math
import re

import firsthit


def blocks_of(data, columns):
    """Return head and rows of numbers of each run in a data file.

    COCO's last line counts only if it ends with a newline.
    """
    blocks = []
    lines = data.decode("latin-1").split("\n")
    for line in lines[:-1] if data.startswith(b"%") else lines:
        is_head = line.startswith(("%", "evaluations"))
        if is_head and (not blocks or blocks[-1][1]):
            blocks.append(([line], []))
        elif is_head:
            blocks[-1][0].append(line)
        elif line.strip():
            words = line.split()
            blocks[-1][1].append([float(words[column]) for column in columns])
    return [(" ".join(head), rows) for head, rows in blocks]


def coco_contradiction(files):
    with contextlib.suppress(ValueError, IndexError, KeyError):
        for index in (name for name in files if name.endswith(".info")):
            text = files[index].decode()
            if "indicator" in text:
                folder = index.rpartition("/")[0] + "/" + re.search("folder = '(.*?)'", text)[1]
                entry = r"function = +(\d+), dim = +(\d+), (\S+)\.dat(.*)"
            else:
                folder = index.rpartition("/")[0]
                entry = r"funcId = (\d+), DIM = (\d+),.*\n%.*\n(\S+)\.dat(.*)"
            for function, dimension, stem, listed in re.findall(entry, text):
                runs = re.findall(r"(\d+):(\d+)\|([^,\s]+)", listed)
                reason = contradiction_in_runs(files, f"{folder}/{stem}", runs, text)
                in_name = re.search(r"_f(\d+)_(?:DIM|d)(\d+)", stem)
                if in_name and list(map(int, in_name.groups())) != [int(function), int(dimension)]:
                    reason = reason or f"the index names f{function} in dimension {dimension}"
                if reason:
                    return f"{stem}: {reason}"
    return ""


def contradiction_in_runs(files, stem, runs, index):
    has_two_objectives = "indicator" in index
    columns = (0, 1, 1) if has_two_objectives else (0, 2, 4)
    dat, tdat = (blocks_of(files[f"{stem}.{ending}"], columns) for ending in ("dat", "tdat"))
    if not len(dat) == len(tdat) == len(runs):
        return "numbers of runs differ"
    scheduled = {row[0] for _, rows in tdat for row in rows[:-1]}
    for (_, evaluations, best), (head, rows), (_, regular) in zip(runs, dat, tdat, strict=True):
        if not rows or not regular or regular[-1][0] != int(evaluations):
            return "the last line is not of the last evaluation"
        if rows[0][0] != regular[0][0]:
            return "the first lines differ"
        if any(math.isnan(row[1]) for row in rows + regular):
            return ""
        if abs(regular[-1][1] - float(best)) > 0.06 * abs(float(best)) + 2e-8:
            return "the index has another best value"
        for count, precision, value in rows + regular:
            if any(c <= count and p < precision for c, p, _ in rows + regular):
                return "the best value increases"
            if any(c == count and p != precision for c, p, _ in rows + regular):
                return "two values at one evaluation"
            fopt = re.search(r"Fopt \((.*?)\)", head)
            is_plain = not has_two_objectives and "bbob-constrained" not in index
            if is_plain and fopt and abs(value) < 1e21 and precision < 1e21:
                error = abs(precision + float(fopt[1]) - value)
                if error > 1.01e-9 * (abs(precision) + abs(value)):
                    return "the value is not the precision plus Fopt"
        for k in range(-25 if has_two_objectives else -40, 40):
            target = 10 ** (k / 5)
            hits = [[c for c, p, _ in part if p <= target] for part in (rows, regular)]
            is_close = any(abs(p / target - 1) < 1e-5 for _, p, _ in rows + regular)
            if hits[1] and not is_close and (not hits[0] or hits[0][0] > hits[1][0]):
                return f"the line of target {target} is missing"
        if any(c < regular[-1][0] and c not in [row[0] for row in regular] for c in scheduled):
            return "a scheduled line is missing"
    return ""


def ioh_contradiction(files):
    with contextlib.suppress(ValueError, IndexError, KeyError, TypeError):
        for index in (name for name in files if name.endswith(".json")):
            facts = json.loads(files[index])
            name = f"f{facts['function_id']}_{facts['function_name']}"
            if index.rpartition("/")[2] != f"IOHprofiler_{name}.json":
                return f"{index} is on {name}"
            for scenario in facts["scenarios"]:
                path = scenario["path"]
                if not path.endswith(f"_f{facts['function_id']}_DIM{scenario['dimension']}.dat"):
                    return f"{path} is on {name}"
                blocks = blocks_of(files[f"{index.rpartition('/')[0]}/{path}"], (0, 1))
                if len(blocks) != len(scenario["runs"]):
                    return "numbers of runs differ"
                better = max if facts["maximization"] else min
                for (head, rows), run in zip(blocks, scenario["runs"], strict=True):
                    best = run["best"]
                    value = best["y"]
                    columns = [title for title in head.split() if not re.fullmatch(r"x\d+", title)]
                    if columns != facts["attributes"]:
                        return "the columns are not those of the index"
                    if not rows or rows[-1][0] != run["evals"]:
                        return "the last line is not of the last evaluation"
                    if not any(c == best["evals"] and abs(y - value) < 1e-10 for c, y in rows):
                        return "the best evaluation has another value"
                    if abs(better(y for _, y in rows) - value) > 1e-10:
                        return "the best value is another"
                    if "firsthit" in facts and any(
                        better(y, z) != z for (_, y), (_, z) in itertools.pairwise(rows)
                    ):
                        return "the best value increases"
    return ""


def hypervolume_contradiction(files):
    """Return a text if the last value of a run is not that of its archive, on bbob-biobj."""
    reason = coco_contradiction(files)
    with contextlib.suppress(ValueError, IndexError, KeyError):
        for index in (name for name in files if name.endswith(".info")):
            folder, text = index.rpartition("/")[0], files[index].decode()
            group = re.search("folder = '(.*?)'", text)[1]
            entries = re.findall(r"function = +(\d+), dim = +(\d+), (\S+\.dat)(.*)", text)
            for function, dimension, path, listed in entries:
                runs = re.findall(r"(\d+):(\d+)\|", listed)
                lines = blocks_of(files[f"{folder}/{group}/{path[:-3]}tdat"], (0, 1))
                for (instance, _), (head, rows) in zip(runs, lines, strict=True):
                    f, i, d = int(function), int(instance), int(dimension)
                    name = f"bbob-biobj_f{f:02d}_i{i:02d}_d{d:02d}"
                    archive = f"{folder}/archive/{name}_nondom_all.adat"
                    points = blocks_of(files[archive], (1, 2))[0][1]
                    problem = firsthit.Suite("bbob-biobj").problem(f, d, i)
                    reference = float(re.search("reference value = (.*?) ", head)[1])
                    value = reference - hypervolume(points, problem)
                    if value < reference and abs(value - rows[-1][1]) > 2e-9:
                        reason = reason or f"{name} has another hypervolume"
    return reason


def hypervolume(points, problem):
    """Return the area that points dominate, relative to that of the region of interest."""
    ideal, nadir = problem.ideal_point, problem.nadir_point
    scaled = sorted(
        tuple((y - low) / (high - low) for y, low, high in zip(point, ideal, nadir, strict=True))
        for point in points
    )
    area, lowest = 0.0, 1.0
    for first, second in scaled:
        if first < 1 and second < lowest:
            area += (1 - first) * (lowest - second)
            lowest = second
    return area

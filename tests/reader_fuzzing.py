"""Damage small files of each format at random, and read them in a child process.

`register` adds a reader: a function that writes a small sample, and a function that reads it by
public names. A new reader joins the test by its registration. `fuzz` writes the sample and starts
the child process, which runs this file as a script. The child damages copies of the sample and
reads them one after the other. It prints the number of each input before it is read, and the
outcome after it. So the input that ends the process or takes too long can be identified.

Outcomes:

- ``refused``: firsthit raised one of its errors, whose message is one short sentence.
- ``equal``: the results and notes are those of the undamaged files.
- ``noted``: there is a note that the undamaged files do not have.
- ``other``: other numbers without a further note. This is an error for a reader with a checksum,
  and if facts in the damaged files contradict each other (`redundant_facts`).
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import firsthit
from firsthit.suites import FirsthitError

if __package__:
    from .redundant_facts import coco_contradiction, hypervolume_contradiction, ioh_contradiction
else:  # a child process runs this file as a script
    from redundant_facts import coco_contradiction, hypervolume_contradiction, ioh_contradiction

SECONDS_PER_INPUT = 60
"""An input that takes longer is reported as a hang."""
MOST_MEBIBYTES = 900
"""Largest memory of the child process."""
LONGEST_MESSAGE = 900
"""Largest number of characters of an error message."""
PIECES = [
    b"", b"\n", b"%", b"% f evaluations\n", b",", b"'", b"|", b":", b"=", b"0", b"-1", b"1e999",
    b"nan", b"inf", b"None", b"\x00", b"\xff\xfe", b"9" * 400, b"1" + b"0" * 30, b"{", b"[]",
    b'"', b"null", b"true", b"../", b"/", b" ", b"\t", b"funcId = 1", b"DIM = 2", b"suite = ''",
    b"instance = 1", b"algorithm type = best", b"1_0", b"\xe2\x80\xae", b"1 0 +1.0e+00\n",
    b"x" * 5000, b"2,3\n", b"- ", b"!!set {a}", b"&a *a",
]  # fmt: skip
"""Texts that a mutation inserts."""


class Result(tuple):
    """Texts of the results, sorted, and the notes."""

    def __new__(cls, texts, notes):
        return super().__new__(cls, (sorted(texts), sorted(notes)))


@dataclass(frozen=True)
class Reader:
    """A reader of one format.

    Attributes:
        write: Writes the sample into an empty folder.
        read: Reads the folder, and returns a `Result`.
        has_checksum: Whether a checksum protects the files, so that damage never changes numbers.
        loses_runs: Whether whole runs at the end may be missing, if a note says so. The files are
            then journals; without a note, the file must be the beginning of the undamaged one.
        contradiction: Returns a text if facts in the damaged files contradict each other, or an
            empty one. Other numbers from such files need a note.
    """

    write: Callable[[Path], None]
    read: Callable[[Path], Result]
    has_checksum: bool = False
    loses_runs: bool = False
    contradiction: Callable[[dict[str, bytes]], str] = lambda files: ""


READERS: dict[str, Reader] = {}


def register(name, write, **facts):
    """Return a decorator that registers a function as reader of the files that ``write`` writes."""

    def add(read):
        READERS[name] = Reader(write, read, **facts)
        return read

    return add


# Samples ------------------------------------------------------------------------------------------


def command(*words):
    """Run ``firsthit WORDS`` in this process; raise RuntimeError if the exit code is not 0."""
    from importlib.metadata import entry_points

    [script] = entry_points(group="console_scripts", name="firsthit")
    arguments, sys.argv = sys.argv, ["firsthit", *map(str, words)]
    errors = io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            script.load()()
    except SystemExit as end:
        if end.code:
            raise RuntimeError(errors.getvalue()) from end
    finally:
        sys.argv = arguments


def observe(path, suite="bbob", dimension=2, n_functions=2, algorithm="walk", *, merge=True):
    """Write a log of random searches, or its journals alone without ``merge``."""
    observer = firsthit.Observer(path, algorithm=algorithm)
    problems = firsthit.Suite(
        suite, functions=range(1, n_functions + 1), dimensions=dimension, instances="1-2"
    )
    for problem in observer(problems):
        rng = np.random.default_rng([problem.id_function, problem.id_instance])
        for i in range(40):
            x = rng.uniform(-4, 4, dimension) * 0.9**i
            if problem.number_of_constraints:
                problem.constraint(x)
            problem(x)
    if merge:
        observer.close()


def write_log(folder):
    observe(folder / "a.h5")


def write_journal(folder):
    """Write a log whose process ends without closing it."""
    code = (
        "import os, sys, pathlib\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import reader_fuzzing\n"
        f"reader_fuzzing.observe(pathlib.Path({str(folder / 'a.h5')!r}), merge=False)\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    for name in ("writer", "lock"):  # only the journal is damaged here
        (folder / "a.h5.parts" / name).unlink(missing_ok=True)


def exporter(file_format, suite="bbob", dimension=2):
    """Return a function that writes a log as data of another program."""

    def write(folder):
        observe(folder / "a.h5", suite, dimension)
        command("export", folder / "a.h5", "--format", file_format, "-o", folder / "data")
        (folder / "a.h5").unlink()

    return write


def packer(kind):
    """Return a function that writes an archive of COCO's data, of a kind of `shutil`."""

    def write(folder):
        exporter("coco")(folder)
        shutil.make_archive(str(folder / "packed"), kind, folder / "data")
        shutil.rmtree(folder / "data")

    return write


def write_ioh(folder):
    """Write data of IOHprofiler as its package ``ioh`` does, with points."""
    for function, name in ((1, "Sphere"), (2, "Ellipsoid")):
        path, text, runs = f"data_f{function}_{name}/IOHprofiler_f{function}_DIM2.dat", "", []
        for instance in (1, 2):
            text += "evaluations raw_y x0 x1\n"
            rng, best = np.random.default_rng([function, instance]), np.inf
            for count in range(1, 41):
                x = rng.uniform(-4, 4, 2) * 0.9**count
                y = float(np.sum(x**2))
                if y < best or count == 40:
                    text += f"{count} {y:.10f} {x[0]:f} {x[1]:f}\n"
                if y < best:
                    best, first = y, {"evals": count, "y": y, "x": x.tolist()}
            runs.append({"instance": instance, "evals": 40, "best": first})
        (folder / "data" / path).parent.mkdir(parents=True)
        (folder / "data" / path).write_text(text)
        index = {
            "version": "0.3.22", "suite": "unknown_suite", "function_id": function,
            "function_name": name, "maximization": False,
            "algorithm": {"name": "RS", "info": ""}, "attributes": ["evaluations", "raw_y"],
            "scenarios": [{"dimension": 2, "path": path, "runs": runs}],
        }  # fmt: skip
        (folder / "data" / f"IOHprofiler_f{function}_{name}.json").write_text(json.dumps(index))


def write_old_ioh(folder):
    """Write data of IOHprofiler in its format of 2018."""
    (folder / "IOHprofiler_f1_S.info").write_text(
        'suite = "x", funcId = 1, funcName = "S", DIM = 2, maximization = "T", algId = "o", '
        'algInfo = "i"\n%\nd.dat, 1:8|1.5, 2:1|2.5\n'
    )
    (folder / "d.dat").write_text(
        '"function evaluation" "current f(x)"\n1 1\n8 1.5\n9 0\n'
        '"function evaluation" "current f(x)"\n1 2.5\n'
    )


def write_coco_reference(folder):
    """Write the reference data of a best algorithm in COCO's format."""
    (folder / "b.info").write_text(
        "funcId = 1, DIM = 2, Precision = 1e-8, algId = 'b', suite = 'bbob'\n% x\n"
        "a.dat, 0:12|1e-8\n"
    )
    (folder / "a.dat").write_text(
        "% Artificial instance\n% algorithm type = best\n1 2 2 a 5 5\n9 1 1 b 3 5\n"
    )


def write_reference_table(folder):
    observe(folder / "a.h5")
    command("assess", "best", folder / "a.h5", "--output", folder / "best.csv")
    (folder / "a.h5").unlink()


def write_targets(folder):
    rows = ["suite,function,dimension,target"]
    rows += [f"bbob,{f},2,{target}" for f in (1, 2) for target in (100.0, 10.0, 1.0, 0.1)]
    (folder / "targets.csv").write_text("\n".join(rows) + "\n")


def write_hypervolume_references(folder):
    observe(folder / "two.h5", "bbob-biobj")
    command("references", folder / "two.h5", "-o", folder / "known.csv")
    (folder / "two.h5").unlink()


def write_campaign(folder):
    (folder / "c.yaml").write_text(
        "suite: bbob\nfunctions: 1-3,5\ndimensions: [2, 3]\ninstances: 1-2\n"
        "optimizers:\n  - random-search\n"
        "  - {use: 'scipy:Nelder-Mead', name: nm, parameters: {xatol: 1e-9}}\n"
        "budget: 100 * dimension\nseed: 3\nrepetitions: 2\nworkers: 1\noutput: log.h5\n"
    )


def write_archive(folder):
    """Write a local archive of published data, and read it once, so that the cache is filled."""
    packer("gztar")(folder)
    published = folder / "archive"
    published.mkdir()
    (folder / "packed.tar.gz").rename(published / "walk.tgz")
    command("data", "index", published)
    read_published(folder)


# Readers ------------------------------------------------------------------------------------------


def result_of(log):
    """Return the results of a log: one text for each run with its hits, and the notes."""
    names = type(log.runs).__annotations__
    texts = []
    for run in range(len(log)):
        values = [repr(log.runs[name][run]) for name in names]
        rows = [log.hits(run).tobytes(), log.trajectory(run).tobytes(), log.archive(run).tobytes()]
        texts.append(str((*values, *rows)))
    return Result(texts, log.notes)


@register("log", write_log, has_checksum=True)
def read_log_file(folder):
    return result_of(firsthit.load(folder / "a.h5").log)


@register("journal", write_journal, has_checksum=True, loses_runs=True)
def read_journal(folder):
    return result_of(firsthit.load(folder / "a.h5").log)


@register("Parquet", exporter("parquet"), has_checksum=True)
@register("COCO", exporter("coco"), contradiction=coco_contradiction)
@register(
    "COCO with constraints",
    exporter("coco", "bbob-constrained"),
    contradiction=coco_contradiction,
)
@register(
    "COCO with two objectives",
    exporter("coco", "bbob-biobj"),
    contradiction=hypervolume_contradiction,
)
@register("IOHprofiler of firsthit", exporter("ioh"), contradiction=ioh_contradiction)
@register("IOHprofiler", write_ioh, contradiction=ioh_contradiction)
def read_data(folder):
    return result_of(firsthit.load(folder / "data").log)


@register("archive .tar.gz", packer("gztar"), has_checksum=True)
@register("archive .zip", packer("zip"))  # it has no checksum of the names of its members
def read_packed(folder):
    [path] = folder.glob("packed.*")
    return result_of(firsthit.load(path).log)


@register("IOHprofiler of 2018", write_old_ioh)
def read_old_ioh(folder):
    return result_of(firsthit.load(folder).log)


def load_small_log(suite):
    """Return the results of a log that is written once in the current folder."""
    path = Path(f"{suite}.h5")
    if not path.exists():
        observe(path, suite)
    return firsthit.load(path)


def result_of_table(table):
    return Result(table.to_csv().splitlines(), table.notes)


@register("COCO's reference", write_coco_reference)
def read_coco_reference(folder):
    return result_of_table(load_small_log("bbob").art(reference=str(folder)))


@register("reference table", write_reference_table)
def read_reference_table(folder):
    return result_of_table(load_small_log("bbob").art(reference=str(folder / "best.csv")))


@register("targets", write_targets)
def read_targets(folder):
    return result_of_table(load_small_log("bbob").art(targets=str(folder / "targets.csv")))


@register("hypervolume references", write_hypervolume_references)
def read_hypervolume_references(folder):
    reference = str(folder / "known.csv")
    return result_of_table(load_small_log("bbob-biobj").measured_from(reference).art())


@register("campaign", write_campaign)
def read_campaign(folder):
    from firsthit.runner import load_campaign

    return Result([repr(load_campaign(folder / "c.yaml"))], ())


@register("published data", write_archive, has_checksum=True)
def read_published(folder):
    os.environ["FIRSTHIT_COCO_ARCHIVE"] = str(folder / "archive")
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    return result_of(firsthit.load("coco:walk").log)


# Mutations and the child process ------------------------------------------------------------------


def mutate(data, rng):
    """Return data with a few changed bits, cuts, moved lines and inserted pieces."""
    for _ in range(rng.randint(1, 3)):
        kind, start = rng.randrange(7), rng.randrange(len(data) + 1)
        lines = data.split(b"\n")
        if kind == 0:
            data = data[:start] + rng.choice(PIECES) + data[start:]
        elif kind == 1:
            data = data[:start] + rng.choice(PIECES) + data[start + rng.randrange(20) :]
        elif kind == 2:
            del lines[rng.randrange(len(lines))]
            data = b"\n".join(lines)
        elif kind == 3:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            data = b"\n".join(lines)
        elif kind == 4 and rng.randrange(4) == 0:
            data = data[:start]
        elif data:
            position = rng.randrange(len(data))
            bit = bytes([data[position] ^ 1 << rng.randrange(8)])
            data = data[:position] + bit + data[position + 1 :]
    return data


def mutate_files(files, rng):
    """Damage one or two of the files, exchange two, or remove one; return the new files."""
    changed = dict(files)
    names = rng.sample(sorted(files), k=min(2, len(files)))
    kind = rng.randrange(10)
    if kind == 0 and len(names) == 2:
        changed[names[0]], changed[names[1]] = files[names[1]], files[names[0]]
    elif kind == 1 and len(names) == 2:
        changed[names[0]] = files[names[1]]
    elif kind == 2 and len(names) == 2:
        del changed[names[0]]
    else:
        for name in names[: rng.randint(1, 2)]:
            changed[name] = mutate(files[name], rng)
    return changed


def files_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write_files(folder, files):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def check_message(message):
    """Check that each line of a message is short and quotes at most 200 characters of the input."""
    assert message.strip(), "an empty message"
    for line in message.splitlines():
        sentence, _, _ = line.partition(" Known: ")  # a list of names may be long
        assert sentence.isprintable(), line
        assert len(sentence) <= LONGEST_MESSAGE, line
    for piece in PIECES:
        assert len(piece) <= 200 or piece[:201].decode() not in message, message


def outcome_of(reader, folder, files, changed, expected):
    """Read the damaged files, and return the outcome; raise AssertionError if it is not allowed."""
    try:
        result = reader.read(folder)
    except FirsthitError as error:
        check_message(str(error))
        return "refused"
    if result == expected:
        return "equal"
    has_further_note = bool(set(result[1]) - set(expected[1]))
    if reader.has_checksum and result[0] != expected[0]:
        assert reader.loses_runs, "other numbers in spite of a checksum"
        assert not Counter(result[0]) - Counter(expected[0]), "other runs in spite of a checksum"
        is_beginning = all(
            files[name].startswith(content) for name, content in changed.items() if name in files
        )
        assert has_further_note or is_beginning, "lost runs without a note"
    if has_further_note:
        return "noted"
    assert not reader.contradiction(changed), reader.contradiction(changed)
    return "other"


def main(name, first, count, folder):
    """Read the inputs from number ``first`` on, and print their numbers and outcomes."""
    warnings.simplefilter("error")
    reader, folder = READERS[name], Path(folder)
    files = files_of(folder / "sample")
    os.chdir(folder)
    target = folder / "sample"  # the same path, because some results contain it
    expected = reader.read(target)
    for number in range(int(first), int(first) + int(count)):
        rng = random.Random(f"{name} {number}")
        changed = mutate_files(files, rng)
        write_files(target, changed)
        print(f"\n{number}", end=" ", flush=True)
        try:
            print(outcome_of(reader, target, files, changed, expected), end="", flush=True)
        except Exception:
            print("failed", flush=True)
            traceback.print_exc(file=sys.stdout)
            keep = folder / f"failed-{number}"
            write_files(keep, changed)
    if sys.platform == "linux":
        # getrusage would also count the memory of the process that started this one.
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        peak = int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) / 2**10
        assert peak < MOST_MEBIBYTES, f"{peak} MiB"
    print("\n")


def fuzz(name, folder, first, count):
    """Read damaged inputs in a child process, and count the outcomes.

    Args:
        name: Name of a registered reader.
        folder: An empty folder.
        first: Number of the first input, which is the seed of its damage.
        count: Number of inputs.

    Returns:
        The number of inputs by outcome.

    Raises:
        AssertionError: An input had an outcome that is not allowed, ended the process, or took too
            long. The text has the number of the input.
    """
    (folder / "sample").mkdir()
    READERS[name].write(folder / "sample")
    output = folder / "output.txt"
    words = [sys.executable, __file__, name, str(first), str(count), str(folder)]
    with output.open("wb") as file:
        child = subprocess.Popen(words, stdout=file, stderr=subprocess.STDOUT)
        seen = -1
        while True:
            try:
                code = child.wait(SECONDS_PER_INPUT)
                break
            except subprocess.TimeoutExpired:
                size = output.stat().st_size
                if size == seen:
                    child.kill()
                    child.wait()
                    code = None
                    break
                seen = size
    text = output.read_text(encoding="utf-8", errors="replace")
    assert code is not None, f"{name}: an input takes too long\n{text[-3000:]}"
    assert code == 0, f"{name}: exit code {code}\n{text[-3000:]}"
    outcomes = Counter(
        line.split()[1] for line in text.splitlines() if line[:1].isdigit() and " " in line
    )
    failures = re.findall(r"^\d+ failed\n.*?\n(?=\n\d+ |\n$)", text, re.MULTILINE | re.DOTALL)
    assert not failures, f"{name}: {len(failures)} failures\n" + "\n".join(
        f"{failure[:12]} … {failure[-900:]}" for failure in failures[:5]
    )
    assert sum(outcomes.values()) == count, text[-3000:]
    return outcomes


if __name__ == "__main__":
    main(*sys.argv[1:])

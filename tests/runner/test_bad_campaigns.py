# ruff: noqa: E501
"""What is wrong with a campaign file is said in one line each, with its place, and nothing runs."""

import re

import pytest

GOOD = {
    "imports": "[toy.py]",
    "suite": "runner-toy",
    "optimizers": "[random-search]",
    "budget": "100 * D",
}

BAD = [
    # keys
    ({"budgets": "5"}, r":5:1: unknown key 'budgets'. Did you mean 'budget'\? Known: suite, suites, "),
    ({"dimension": "5"}, r"unknown key 'dimension'. Did you mean 'dimensions'\?"),
    ({"optimizers": None}, r":1:1: key 'optimizers' is missing"),
    ({"suite": None}, r":1:1: key 'suite' is missing"),
    ({"seed": "1\nseed: 2"}, r":6:1: key 'seed' is given twice \(first in line 5\)"),
    ({"<<": "{a: 1}"}, r":5:1: a key must be a plain word"),
    # budget
    ({"budget": "1e3 * dim"}, r":4:9: budget '1e3 \* dim' is not understood; write a whole number"),
    ({"budget": "true"}, r":4:9: budget True of type bool is no number"),
    ({"budget": "[5, 2]"}, r":4:9: budget stages must ascend; '2' comes after '5'"),
    ({"budget": '"[1, 1.1] * D"'}, r":4:9: budget stages must ascend; in dimension 2 '1\*D' gives 2"),
    ({"budget": "[3, 1 * D, 10]"}, r":4:9: budget stages must ascend; in dimension 2 '3' gives 3 evaluations, '1\*D' "),
    ({"budget": "9007199254740992 * D"}, r":4:9: budget '.*' gives more than 2\*\*53 evaluations in dim"),
    # early table
    ({"early_table": "7"}, r":5:14: early_table must be a mapping with functions, dimensions, instances; got '7'"),
    ({"early_table": "{function: 1}"}, r":5:15: in early_table: unknown key 'function'. Did you mean 'functions'\?"),
    ({"early_table": "{functions: x}"}, r":5:26: functions 'x' is not a list of numbers"),
    ({"early_table": "{functions: 99}"}, r":5:14: early_table selects no run of the campaign"),
    # restart sweeps
    ({"restarts": "{most: 3, multiply: {popsize: 2}}"},
     r":3:14: optimizer 'random-search': restarts multiply 'popsize', whose start value must be a number"),
    ({"restarts": "{most: 3, multply: {popsize: 2}}"}, r":5:21: in restarts: unknown key 'multply'. Did you mean"),
    ({"restarts": "{most: -3, multiply: {popsize: 2}}"}, r":5:18: restarts: most must be a whole number >= 0"),
    ({"restarts": "{multiply: 2}"}, r":5:22: restarts: multiply must map parameters to factors, .*; got '2'"),
    ({"restarts": "{multiply: {}}"}, r":5:22: restarts: multiply must map .*; it is empty"),
    ({"restarts": "{multiply: {step: 0}}"}, r":5:29: restarts: step must be a number > 0"),
    ({"restarts": "{multiply: {step: two}}"}, r":5:29: restarts: step must be a number > 0"),
    ({"optimizers": "[{use: toy.py:walk, restarts: {multiply: {step: 2}}}]"},
     r":3:43: optimizer 'toy.py:walk': restarts multiply 'step', .*; it is not given there"),
    ({"optimizers": "[{use: toy.py:walk, parameters: {step: yes}, restarts: {multiply: {step: 2}}}]"},
     r":3:68: optimizer 'toy.py:walk': restarts multiply 'step', .*; got 'yes'"),
    ({"optimizers": "[{use: toy.py:walk, parameters: {step: 1}, restarts: {multiply: {step: 2}}}]", "budget": None},
     r":3:66: .* without a budget there are no restarts: give 'most', or a budget"),
    ({"budget": "0.1 * D"}, r":4:9: budget '0.1\*D' gives no evaluation in dimension 2"),
    ({"budget": ".inf"}, r":4:9: .inf is no finite number"),
    ({"budget": None}, r":3:14: optimizer 'random-search' never ends by itself; give a budget"),
    # numbers and YAML's traps
    ({"seed": "1.5"}, r":5:7: seed must be a whole number >= 0; got '1.5' \(a number\)"),
    ({"seed": "1e5"}, r":5:7: seed must be a whole number >= 0; got '100000.0' .*: write 100000"),
    ({"seed": "010"}, r":5:7: 010: some read this as octal; write it without the leading zero"),
    ({"seed": "1_000"}, r":5:7: seed must be .*got '1_000' \(text\): write 1000"),
    ({"seed": '"3"'}, r":5:7: seed must be .*got '3' \(text\): write 3"),
    ({"seed": "-1"}, r":5:7: seed must be a whole number >= 0; got '-1'"),
    ({"seed": "null"}, r":5:7: seed must be a whole number >= 0; got nothing"),
    ({"repetitions": "0"}, r":5:14: repetitions must be a whole number >= 1; got '0'"),
    ({"repetitions": "[1]"}, r":5:14: repetitions must be a whole number >= 1; got a list"),
    ({"restarts": "-1"}, r":5:11: restarts must be a whole number >= 0; got '-1'"),
    ({"final_target": "no"}, r":5:15: final_target must be true or false; .* Did you mean false\?"),
    ({"final_target": "1"}, r":5:15: final_target must be true or false; got '1' \(a number\)"),
    ({"timeout": "0"}, r":5:10: timeout must be a number > 0, at most 1e.09; got '0'"),
    ({"timeout": "1:30:00"}, r":5:10: timeout must be a number > 0, at most 1e.09; got '1:30:00' \(text\)"),
    ({"workers": "-1"}, r":5:10: workers must be a whole number from 0 to 4096, or 'all'; got '-1'"),
    ({"workers": "al"}, r":5:10: workers must be .*or 'all'; got 'al' \(text\)"),
    ({"output": "x.csv"}, r":5:9: output must end in .h5; got 'x.csv'"),
    ({"output": "5"}, r":5:9: output must be text; got '5' \(a number\): write it in quotes"),
    ({"record": "target"}, r":5:9: unknown record 'target'. Did you mean 'targets'\?"),
    # suites
    ({"suite": "runner-tyo"}, r":2:8: unknown suite 'runner-tyo'. Did you mean 'runner-toy'\?.* under 'imports'"),
    ({"suite": "[a]"}, r":2:8: suite must be text; got a list"),
    ({"functions": "1-9"}, r":5:12: suite 'runner-toy': functions 4-9 not available; there is 1-3"),
    ({"dimensions": "[2, 7]"}, r":5:13: suite 'runner-toy': dimensions 7 not available; there is 2, 3, 5"),
    ({"suites": "[runner-toy]"}, r":2:8: key 'suite' cannot stand beside 'suites'"),
    ({"suite": None, "suites": "[{functions: 1}]"}, r":4:10: in suites: key 'name' is missing"),
    ({"suite": None, "suites": "[{name: runner-toy, fun: 1}]"}, r":4:29: in suites: unknown key 'fun'"),
    ({"suite": None, "suites": "[3]"}, r":4:10: an entry of suites is a name or a mapping; got '3'"),
    ({"suite": None, "suites": "runner-toy"}, r":4:9: suites must be a list with at least one entry"),
    ({"suite": None, "suites": "[runner-toy, runner-toy]"}, r"is asked for twice"),
    # optimizers
    ({"optimizers": "random-search"}, r":3:13: optimizers must be a list with at least one entry"),
    ({"optimizers": "[]"}, r":3:13: optimizers must be a list with at least one entry; got a list"),
    ({"optimizers": "[5]"}, r":3:14: an entry of optimizers is a reference or a mapping; got '5'"),
    ({"optimizers": "[{name: x}]"}, r":3:14: in optimizers: key 'use' is missing"),
    ({"optimizers": "[{use: toy.py:walk, param: 1}]"}, r":3:33: in optimizers: unknown key 'param'. Did"),
    ({"optimizers": "[{use: toy.py:walk, name: 1}]"}, r":3:39: name must be text; got '1'"),
    ({"optimizers": '[{use: toy.py:walk, name: "a\\tb"}]'}, r":3:39: name is 'a\\tb'; it must be a print"),
    ({"optimizers": "[{use: toy.py:walk, restarts: x}]"}, r":3:43: restarts must be a whole number"),
    ({"optimizers": "[{use: toy.py:walk, parameters: [1]}]"}, r":3:45: parameters must be a mapping"),
    ({"optimizers": "[{use: toy.py:walk, parameters: {stp: 1}}]"}, r":3:46: .*unknown parameter 'stp'"),
    ({"optimizers": "[{use: toy.py:walk, parameters: {step: []}}]"}, r":3:52: parameter 'step' has an em"),
    ({"optimizers": "[random-search, random-search]"}, r":3:29: two optimizers are called 'random-sea"),
    ({"optimizers": "[toy.py:wlak]"}, r":3:14: 'toy.py:wlak': unknown name 'wlak'. Did you mean 'walk'"),
    ({"optimizers": "[{use: toy.py:walk, parameters: {step: " + str([*range(1001)]) + "}}]"},
     r":3:45: the grid has 1001 combinations; at most 1000"),
    # imports
    ({"imports": "toy.py", "suite": "bbob"}, r":1:10: imports must be a list with at least one entry; got 'toy.py'"),
    ({"imports": "[toy.py, no_module_x]"}, r":1:19: importing 'no_module_x' failed: ModuleNotFoundError"),
    # names and sizes that a stranger may think of
    ({"optimizers": '[{use: toy.py:walk, name: "a\\u202eb"}]'}, r":3:39: name is 'a.u202eb'; it must be a print"),
    ({"optimizers": '[{use: toy.py:walk, name: "a\\0b"}]'}, r":3:39: 'a.x00b' holds a control character"),
    ({"optimizers": '[{use: toy.py:walk, name: "\\ud800"}]'}, r":3:39: '.ud800' holds a control character"),
    ({"optimizers": "[{use: toy.py:walk, name: " + "n" * 300 + "}]"}, r":3:39: name 'n{40}'… is longer than 200 bytes"),
    ({"optimizers": "[{use: toy.py:walk, parameters: {step: [" + ", ".join(["é" * 99, "b"]) + "]}}]"},
     r":3:20: .*name .* is longer than 200 bytes"),
    ({"optimizers": "[{use: '../../../../etc/passwd:x'}]"}, r":3:20: .*unknown file|:3:20: "),
    ({"output": "n" * 201 + ".h5"}, r":5:9: output 'n{60}' must be printable, names at most 200 bytes long"),
    ({"output": '"a\\u202eb.h5"'}, r":5:9: output 'a.u202eb.h5' must be printable"),
    ({"output": '"a\\0.h5"'}, r":5:9: 'a.x00.h5' holds a control character"),
    ({"output": "''"}, r":5:9: output must be text; got ''"),
    ({"repetitions": "1000000000"}, r":2:8: the campaign makes 45000000000 runs; at most 5000000 can be made"),
    ({"instances": "99999999999999999999999"}, r":5:12: suite 'runner-toy': instances 9{23} not available"),
    ({"timeout": "1e300"}, r":5:10: timeout must be a number > 0, at most 1e\+09; got '1e\+300'"),
    ({"seed": "9" * 390}, r":5:7: seed must be a whole number >= 0; got '9{60}'"),
    ({"optimizers": "[{use: toy.py:walk, parameters: {" + ", ".join(f"p{i}: [1,2,3,4,5,6,7,8,9,0]" for i in range(7)) + "}}]"},
     r":3:45: the grid has 10000000 combinations; at most 1000"),
    # YAML itself
    ({"tuning": "[" + ", ".join(["&a [x, x]", "&b [*a, *a]"][:1]) + "]"}, r":5:10: anchor '&a': write the value out"),
    ({"tuning": "!!python/object/apply:os.system [touch gone]"}, r":5:9: tag .*: tags are not allowed"),
    ({"tuning": "!!binary aGk="}, r":5:9: tag .*: tags are not allowed"),
    ({"? [a]": "1"}, r":5:\d+: a key must be a plain word"),
    ({'"a\\0"': "1"}, r":5:1: key 'a.x00' holds a control character"),
    ({"tuning": "&a 1"}, r":5:9: anchor '&a': write the value out"),
    ({"tuning": "*a"}, r":5:9: alias '\*a': write the value out"),
    ({"tuning": "!!python/object:os.system x"}, r":5:9: tag .*: tags are not allowed"),
    ({"optimizers": "[{name: a, use: 'p" + "9" * 400 + ":'}]"}, "'p9{198}…:' is not a reference"),
    ({"record": "!!set {a}"}, r":5:9: tag 'tag:yaml.org,2002:set': tags are not allowed$"),
    (
        {"record": "{a: b}"},
        r":5:9: record must be one of targets, improvements; got a mapping$",
    ),
    ({"tuning": "[1"}, r":6:1: .*did not find expected|expected ',' or '\]'"),
    ({"tuning": "[" * 30 + "]" * 30}, r":5:\d+: nested deeper than 20"),
    ({"tuning": "\t- x"}, r":5:"),
]  # fmt: skip


def text_of(changes):
    keys = {**GOOD, **changes}
    return "".join(f"{key}: {value}\n" for key, value in keys.items() if value is not None)


def lines_of(err):
    return [line.removeprefix("firsthit: ") for line in err.splitlines()]


@pytest.mark.parametrize(("changes", "sentence"), BAD, ids=[str(k)[:60] for k, _ in BAD])
def test_one_problem_is_one_line_with_its_place(changes, sentence, folder, cli, tmp_path):
    file = folder / "bad.yaml"
    file.write_text(text_of(changes))
    code, out, err = cli("run", file)
    assert (code, out) == (2, "")
    lines = lines_of(err)
    assert len(lines) == 1, err
    assert lines[0].startswith(f"{file}:")
    assert re.search(sentence, lines[0].removeprefix(str(file))), lines[0]
    assert not list(tmp_path.iterdir())
    assert cli("check", file)[0] == 2


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is empty"),
        (b"\xff\xfe\x00", "the file is not UTF-8 text"),
        (b"a: \x00", "character .* at position 3 is not allowed"),
        (b"- 1\n", ":1:1: a campaign is a mapping of keys; got a list"),
        (b"text", r":1:1: a campaign is a mapping of keys; got 'text' \(text\)"),
        (b"a: 1\n---\nb: 1\n", ":2:1: expected a single document"),
        (b"a: " + b"x" * 300_000, "the file has more than 262144 bytes: too many for a campaign"),
        (b"a: [" + b"1, " * 80_000 + b"1]", r":1:\d+: more than 20000 values"),
        (b"[" * 200_000, ":1:21: nested deeper than 20"),
        (b"- " * 100_000, ":1:41: nested deeper than 20"),
        (b'"\\UFFFFFFFF": 1', ":1:4: a character or number that does not exist"),
        (b"%YAML 9.9\n---\na: 1", "found incompatible YAML document"),
        (b"suite: bbob\n  budget: 10\n", ":2:9: mapping values .*: is the line indented as"),
        (b"!%ff%ff a", "while scanning a tag"),
        (bytes(range(128, 256)) * 10, "the file is not UTF-8 text"),
        (b"\x89HDF\r\n\x1a\n" + b"\0" * 100, "this is a log, no campaign; give the campaign's"),
        (b"\x7fELF\x02\x01\x01\0", "character .* is not allowed"),
        (
            b"suite: bbob\nbudget: [1, 2, 5] * dimension\n",
            r":2:20: .*write '\[1, 2\]\*D' in quotes",
        ),
    ],
)
def test_a_file_that_is_no_campaign(data, sentence, folder, cli):
    file = folder / "no_campaign.yaml"
    file.write_bytes(data)
    code, _, err = cli("check", file)
    assert code == 2
    assert len(lines_of(err)) == 1
    assert re.search(sentence, err)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gone.yaml", "no file 'gone.yaml'; unknown built-in campaign 'gone.yaml'"),
        ("quickstar", r"unknown built-in campaign 'quickstar'. Did you mean 'quickstart'\?"),
        (".", "'.' is a folder; give a campaign file"),
        ("x" * 5000, r"cannot read campaign 'x{199}…': File name too long"),
        ("../" * 3000, "cannot read campaign '.*…': File name too long"),
        ("bb\u202eob", r"no file 'bb.u202eob'; unknown built-in campaign"),
        ("/dev/zero", "no file '/dev/zero'"),
    ],
)
def test_no_file(name, sentence, cli):
    code, _, err = cli("run", name)
    assert code == 2
    assert re.search(sentence, err)


def test_all_problems_at_once_in_the_order_of_the_file(folder, cli):
    file = folder / "many.yaml"
    changes = {"suite": "gone", "optimizers": "[gone]", "budget": "x", "seed": "x", "sed": "1"}
    file.write_text(text_of(changes))
    _, _, err = cli("check", file)
    heading, *lines = lines_of(err)
    assert heading == "5 problems"
    assert [int(line.removeprefix(str(file)).split(":")[1]) for line in lines] == [2, 3, 4, 5, 6]


def test_rules_that_contradict_each_other_hide_no_other_problem(folder, cli):
    file = folder / "contradiction.yaml"
    file.write_text(
        "suite: bbob\nbudget: 60 seconds\noutput: log.txt\noptimizers: [random-search]\n"
    )
    code, _, err = cli("check", file)
    assert code == 2
    assert "contradiction.yaml:2:9: budget '60 seconds': seconds are of simulated time" in err
    assert "contradiction.yaml:3:9: output must end in .h5" in err


def test_of_very_many_problems_a_hundred_are_told(folder, cli):
    file = folder / "bomb.yaml"
    file.write_text("tuning: [" + "*a, " * 5000 + "1]\n")
    code, _, err = cli("check", file)
    lines = lines_of(err)
    assert (code, len(lines)) == (2, 102)
    assert lines[-1].endswith("bomb.yaml: and 4902 problems more")


def test_what_looks_like_a_trap_and_is_none(folder, cli):
    file = folder / "fine.yaml"
    changes = {"budget": "1e2", "tuning": "{when: 2026-11-20, by: no, until: 1:30}"}
    file.write_text("\ufeff" + text_of(changes))
    code, out, err = cli("check", file)
    assert code == 0, err
    assert "45 runs, 4500 evaluations at most" in out

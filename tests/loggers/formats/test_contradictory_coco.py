"""Data of COCO whose files contradict each other are refused, or reported by a note."""

import shutil

import pytest

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogFormatError

REFERENCES = {1: 79.48, 8: 149.15}


def write_data(folder):
    """Write two runs on f1 and on f8 in dimensions 2 and 3 as cocoex does, with points."""
    for function, reference in REFERENCES.items():
        (folder / f"data_f{function}").mkdir(parents=True)
        entries = []
        for dimension in (2, 3):
            head = (
                "% f evaluations | g evaluations | best noise-free fitness - Fopt "
                f"({reference:13.12e}) + sum g_i+ | measured fitness | best measured fitness or "
                "single-digit g-values | x1 | x2...\n"
            )
            point = " +1.0000e+00" * dimension
            values = {1: 12.0, 2: 12.0, 4: 4.75e-5 * function}
            lines = {
                count: f"{count} 0 {value:+10.9e} {value + reference:+10.9e} "
                f"{value + reference:+10.9e}{point}\n"
                for count, value in values.items()
            }
            stem = f"data_f{function}/bbobexp_f{function}_DIM{dimension}"
            (folder / f"{stem}.dat").write_text((head + lines[1] + lines[4]) * 2)
            (folder / f"{stem}.tdat").write_text((head + "".join(lines.values())) * 2)
            entries.append(
                f"suite = 'bbob', funcId = {function}, DIM = {dimension}, Precision = 1.000e-08, "
                f"algId = 'A', coco_version = '2.8.2', logger = 'bbob', data_format = 'bbob-new2'\n"
                f"% \n{stem}.dat" + f", 1:4|{values[4]:.1e}" * 2
            )
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(entries))
    return folder


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_data_as_written_are_read_without_a_note_on_them(tmp_path):
    log = read_log(write_data(tmp_path / "data"))
    assert len(log) == 8
    assert not log.notes


def test_a_line_without_its_third_column_is_refused(tmp_path):
    folder = write_data(tmp_path / "data")
    edit(folder / "data_f8" / "bbobexp_f8_DIM2.tdat", "4 0 +3.800000000e-04 ", "4 0 ")
    with pytest.raises(LogFormatError, match=r"tdat', line 4: this line has 6 columns; .* 5 or 7"):
        read_log(folder)


@pytest.mark.parametrize("ending", ["dat", "tdat"])
def test_a_precision_below_the_optimum_is_refused(tmp_path, ending):
    folder = write_data(tmp_path / "data")
    path = folder / "data_f8" / f"bbobexp_f8_DIM2.{ending}"
    edit(path, "4 0 +3.800000000e-04 ", "4 0 -1 ")
    with pytest.raises(LogFormatError, match="has the precision -1, but the smallest possible"):
        read_log(folder)


def test_a_file_of_another_function_is_refused(tmp_path):
    folder = write_data(tmp_path / "data")
    source = folder / "data_f1" / "bbobexp_f1_DIM2.tdat"
    shutil.copy(source, folder / "data_f8" / "bbobexp_f8_DIM2.tdat")
    with pytest.raises(LogFormatError, match=r"belongs to another problem: .* 79\.48, but in"):
        read_log(folder)


def test_a_file_of_another_dimension_is_refused(tmp_path):
    folder = write_data(tmp_path / "data")
    source = folder / "data_f1" / "bbobexp_f1_DIM3.tdat"
    shutil.copy(source, folder / "data_f1" / "bbobexp_f1_DIM2.tdat")
    with pytest.raises(LogFormatError, match="has 8 columns; in dimension 2 it must have 5 or 7"):
        read_log(folder)


F1, F8 = (f"data_f{function}/bbobexp_f{function}_DIM2" for function in REFERENCES)
LINES = {
    count: f"{count} 0 +1.200000000e+01 +9.148000000e+01 +9.148000000e+01 +1.0000e+00 +1.0000e+00\n"
    for count in (1, 2)
}
LAST = "4 0 +4.750000000e-05 +7.948004750e+01 +7.948004750e+01 +1.0000e+00 +1.0000e+00\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "note"),
    [
        (f"{F1}.dat", LAST, "", "1 runs hit targets in .tdat for which .dat has no line"),
        (f"{F1}.dat", LINES[1], "", "1 runs begin at another evaluation in .dat than in .tdat"),
        (f"{F1}.dat", LAST, LINES[2] + LAST, "1 runs have lines in .dat that do not improve"),
        (f"{F1}.tdat", LINES[2], "", "1 runs lack lines in .tdat at counts of evaluations that"),
        (f"{F1}.tdat", LAST, "", "1 runs have another number of evaluations in the index"),
        (f"{F1}.tdat", "2 0 +1.2", "2 0 +1.3", "1 runs have best precisions in .dat, .tdat and"),
        (f"{F1}.dat", "+9.148000000e+01 +1", "+9.158000000e+01 +1", "1 runs have lines in which"),
        ("bbobexp_f1.info", ", 1:4", ", 2:4", "1 runs have another Fopt than the suite"),
        ("bbobexp_f1.info", "|4.8e-05", "|3.8e-05", "1 runs have another best precision in the"),
        ("bbobexp_f1.info", ".dat, 1:4", ".dat, 1:5", "1 runs have another number of evaluations"),
        ("bbobexp_f1.info", "DIM = 2", "DIM = 3", "columns"),
        ("bbobexp_f1.info", "funcId = 1", "funcId = 3", "1 data files have another function or"),
        ("bbobexp_f1.info", "'A'", "'B'", "the index files of one folder name several suites or"),
    ],
)
def test_a_contradiction_is_reported(tmp_path, file, old, new, note):
    folder = write_data(tmp_path / "data")
    edit(folder / file, old, new)
    if note == "columns":
        with pytest.raises(LogFormatError, match="has 7 columns; in dimension 3 it must have 5 or"):
            read_log(folder)
    else:
        assert [text for text in read_log(folder).notes if text.startswith(note)]


def test_lines_of_restarts_in_place_of_regular_counts_are_reported(tmp_path):
    folder = write_data(tmp_path / "data")
    path = folder / f"{F1}.tdat"
    path.write_text("".join(f"{line}\n" for line in path.read_text().splitlines() if "%" in line))
    assert any("another number of evaluations in" in note for note in read_log(folder).notes)


@pytest.mark.parametrize("ending", ["dat", "tdat"])
def test_heads_with_different_columns_are_refused(tmp_path, ending):
    folder = write_data(tmp_path / "data")
    path = folder / f"{F8}.{ending}"
    edit(path, "g evaluations", "g evaluation")
    with pytest.raises(LogFormatError, match="the heads of its runs name different columns"):
        read_log(folder)
    edit(path, "g evaluations", "g evaluation")
    with pytest.raises(LogFormatError, match="it has other columns than"):
        read_log(folder)


def test_a_repeated_line_changes_nothing(tmp_path):
    expected = read_log(write_data(tmp_path / "data"))
    edit(tmp_path / "data" / f"{F1}.tdat", LINES[2], LINES[2] * 2)
    log = read_log(tmp_path / "data")
    assert not log.notes
    assert [log.trajectory(i).tolist() for i in range(8)] == [
        expected.trajectory(i).tolist() for i in range(8)
    ]


def test_index_files_without_runs_are_refused(tmp_path):
    folder = write_data(tmp_path / "data")
    for path in folder.glob("*.info"):
        path.write_text("")
    with pytest.raises(LogFormatError, match="its index files list no runs"):
        read_log(folder)


def test_all_files_of_another_function_are_reported_by_fopt(tmp_path):
    folder = write_data(tmp_path / "data")
    for ending in ("dat", "tdat"):
        shutil.copy(folder / f"{F1}.{ending}", folder / f"{F8}.{ending}")
    notes = read_log(folder).notes
    assert any(note.startswith("2 runs have another Fopt than the suite") for note in notes)
    assert any(note.startswith("2 runs have another best precision in the index") for note in notes)


def test_data_without_their_index_are_reported(tmp_path):
    folder = write_data(tmp_path / "data")
    (folder / "bbobexp_f8.info").unlink()
    log = read_log(folder)
    assert len(log) == 4
    assert any("2 data files are in no index and were left out" in note for note in log.notes)


def test_an_index_without_its_data_is_refused(tmp_path):
    folder = write_data(tmp_path / "data")
    shutil.rmtree(folder / "data_f8")
    with pytest.raises(LogFormatError, match=r"the data file 'data_f8/.*\.dat' is missing"):
        read_log(folder)


@pytest.mark.slow
def test_other_files_of_two_objectives_are_refused(coco_data, tmp_path):
    source = coco_data["bbob-biobj"][0]
    folder = tmp_path / "archive"
    shutil.copytree(source, folder)
    name = next(path for path in sorted(folder.rglob("*d02_hyp.tdat")))
    archive = next(iter(sorted(folder.rglob("*d02*.adat"))))
    shutil.copy(archive, name)
    with pytest.raises(LogFormatError):
        read_log(folder)
    folder = tmp_path / "dimension"
    shutil.copytree(source, folder)
    for path in sorted(folder.rglob("*_d02_hyp.*dat")):
        path.write_text(path.read_text().replace("_d02", "_d03"))
    with pytest.raises(LogFormatError, match="this run is in dimension 3, but in the index in 2"):
        read_log(folder)


def remove_line(text):
    lines = text.splitlines(keepends=True)
    return "".join(lines[:2] + lines[3:])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "note"),
    [
        (remove_line, "1 runs have an archive with another hypervolume"),
        (lambda text: text.replace("% evaluations = 1", "% evaluations = 2"), "in their archive"),
        (None, "1 runs have no archive, but other runs of their data file have one"),
        (lambda text: text.replace("name = bbob_f001", "name = bbob_f002"), ""),
    ],
)
def test_a_damaged_archive_is_reported(coco_data, tmp_path, change, note):
    folder = tmp_path / "data"
    shutil.copytree(coco_data["bbob-biobj"][0], folder)
    path = folder / "archive" / "bbob-biobj_f01_i01_d02_nondom_all.adat"
    if change is None:
        path.unlink()
    else:
        path.write_text(change(path.read_text()))
    if note:
        assert any(note in text for text in read_log(folder).notes)
    else:
        with pytest.raises(
            LogFormatError, match=r"this archive is of 'bbob_f002.*', but the run of"
        ):
            read_log(folder)


@pytest.mark.slow
def test_no_suite_of_coco_contradicts_itself(coco_data):
    for folder, _ in coco_data.values():
        notes = read_log(folder).notes
        assert all(note.startswith("COCO's data of bbob-") for note in notes)

"""Data of COCO whose files contradict each other are refused, or reported by a note."""

import shutil

import pytest

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogFormatError

REFERENCES = {1: 79.48, 8: -149.15}


def write_data(folder):
    """Write runs on f1 and f8 in dimensions 2 and 3 as cocoex does, with points."""
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
            (folder / f"{stem}.dat").write_text(head + lines[1] + lines[4])
            (folder / f"{stem}.tdat").write_text(head + "".join(lines.values()))
            entries.append(
                f"suite = 'bbob', funcId = {function}, DIM = {dimension}, Precision = 1.000e-08, "
                f"algId = 'A', coco_version = '2.8.2', logger = 'bbob', data_format = 'bbob-new2'\n"
                f"% \n{stem}.dat, 1:4|{values[4]:.1e}"
            )
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(entries))
    return folder


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_data_as_written_are_read_without_a_note_on_them(tmp_path):
    log = read_log(write_data(tmp_path / "data"))
    assert len(log) == 4
    assert not [note for note in log.notes if "index" in note or ".tdat" in note]


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


def test_all_files_of_another_function_are_reported_by_their_best_values(tmp_path):
    folder = write_data(tmp_path / "data")
    for ending in ("dat", "tdat"):
        source = folder / "data_f1" / f"bbobexp_f1_DIM2.{ending}"
        shutil.copy(source, folder / "data_f8" / f"bbobexp_f8_DIM2.{ending}")
    notes = read_log(folder).notes
    assert any(note.startswith("1 runs have another best precision in the index") for note in notes)


def test_data_without_their_index_are_reported(tmp_path):
    folder = write_data(tmp_path / "data")
    (folder / "bbobexp_f8.info").unlink()
    log = read_log(folder)
    assert len(log) == 2
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


@pytest.mark.slow
def test_no_suite_of_coco_contradicts_its_index(coco_data):
    for folder, _ in coco_data.values():
        assert not [note for note in read_log(folder).notes if "in the index" in note]

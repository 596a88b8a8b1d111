"""Files are found by id in their folder alone; a prediction is text or cells, or a named reason why it is none."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from browser_capture.errors import UserError
from verifier.errors import AnswerUnreadable
from verifier.scoring import prediction_files
from verifier.scoring.prediction_files import AnswerFiles, Prediction, open_files, remarks

Folders = tuple[Path, Path]
"""Answers and predictions."""


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """An answers folder with 1.csv, and an empty predictions folder."""
    answers, predictions = tmp_path / "answers", tmp_path / "predictions"
    answers.mkdir()
    predictions.mkdir()
    (answers / "1.csv").write_bytes(b"Paris\n")
    return answers, predictions


def files_with(folders: Folders, **predictions: bytes) -> AnswerFiles:
    """The run's files after `predictions` were written; `_1_json` is 1.json."""
    for name, data in predictions.items():
        (folders[1] / name.removeprefix("_").replace("_", ".")).write_bytes(data)
    return open_files(*folders)


def reason(read: Callable[[str], object], question_id: str) -> str:
    with pytest.raises(AnswerUnreadable) as found:
        read(question_id)
    return str(found.value)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("_1_json", b'{"prediction": "Paris", "messages": [1]}', Prediction("Paris")),
        ("_1_json", b'\xef\xbb\xbf{"prediction": "Paris"}', Prediction("Paris")),
        ("_1_json", b'{"prediction": "\\ud800\\u0000"}', Prediction("\ud800\0")),
        ("_1_json", b'{"prediction": "", "steps": ' + b"9" * 5000 + b"}", Prediction("")),
        ("_1_txt", "Zürich".encode(), Prediction("Zürich", ending=".txt")),
        ("_1_txt", "Zürich".encode("utf-16"), Prediction("Zürich", ending=".txt")),
        ("_1_txt", "Paris".encode("utf-16-le"), Prediction("Paris", ending=".txt")),
        ("_1_txt", b"", Prediction("", ending=".txt")),
        ("_1_tsv", b"a\tb", Prediction(file=b"a\tb", ending=".tsv")),
        ("_1_CSV", b"a,b", Prediction(file=b"a,b", ending=".csv")),
    ],
)  # fmt: skip
def test_each_ending_is_read_as_what_it_is(folders: Folders, name: str, data: bytes, expected: Prediction) -> None:
    assert files_with(folders, **{name: data}).read_prediction("1") == expected


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"prediction": null}', "prediction is null"),
        (b'{"prediction": 7}', "prediction is a number, a text is expected"),
        (b'{"prediction": 1e999}', "prediction is a number, a text is expected"),
        (b'{"prediction": ' + b"7" * 5000 + b"}", "prediction is a number, a text is expected"),
        (b'{"prediction": NaN}', "prediction is a number, a text is expected"),
        (b'{"prediction": true}', "prediction is true or false, a text is expected"),
        (b'{"prediction": ["Paris"]}', "prediction is a list, a text is expected"),
        (b'{"prediction": {"a": 1}}', "prediction is an object, a text is expected"),
        (b'{"answer": "Paris"}', "prediction file holds no object with the member 'prediction'"),
        (b'"Paris"', "prediction file holds no object with the member 'prediction'"),
        (b"null", "prediction file holds no object with the member 'prediction'"),
        (b"", "prediction file unreadable: no JSON"),
        (b'{"prediction": "Par', "prediction file unreadable: no JSON"),
        (b'{"prediction": "\xff"}', "prediction file unreadable: no JSON"),
        (b'{"prediction": ' + b"[" * 100_000, "prediction file unreadable: its JSON is nested too deeply"),
    ],
)  # fmt: skip
def test_prediction_that_is_none_says_why(folders: Folders, data: bytes, says: str) -> None:
    assert reason(files_with(folders, _1_json=data).read_prediction, "1").startswith(says)


def test_text_in_another_encoding_is_not_guessed(folders: Folders) -> None:
    files = files_with(folders, _1_txt=b"Z\xfcrich")
    assert reason(files.read_prediction, "1") == (
        "prediction file unreadable: found byte 0xfc in line 1, expected UTF-8; save it as UTF-8"
    )


def test_missing_files_are_named(folders: Folders) -> None:
    files = files_with(folders)
    assert reason(files.read_prediction, "1") == "no prediction"
    assert reason(files.read_truth, "2") == "truth file missing"


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b" \r\n\t\n"])
def test_empty_truth_is_named(folders: Folders, data: bytes) -> None:
    (folders[0] / "1.csv").write_bytes(data)
    assert reason(open_files(*folders).read_truth, "1") == "truth file empty"


def test_folder_in_place_of_a_file_is_named(folders: Folders) -> None:
    (folders[0] / "2.csv").mkdir()
    (folders[1] / "2.json").mkdir()
    files = open_files(*folders)
    assert reason(files.read_truth, "2") == "truth file is a folder"
    assert reason(files.read_prediction, "2") == "prediction file is a folder"


def test_pipe_is_not_waited_for(folders: Folders) -> None:
    os.mkfifo(folders[1] / "1.txt")
    assert reason(open_files(*folders).read_prediction, "1") == "prediction file is no ordinary file"


def test_file_that_may_not_be_read_is_named(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    files = files_with(folders, _1_txt=b"Paris")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert reason(files.read_prediction, "1") == "prediction file unreadable: Permission denied"
    assert reason(files.read_truth, "1") == "truth file unreadable: Permission denied"


def test_huge_file_is_refused_before_it_is_read(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prediction_files, "MAX_BYTES", 2 * 1024**2)
    files = files_with(folders, _1_txt=b"x" * (3 * 1024**2))
    assert reason(files.read_prediction, "1") == "prediction file has 3 MB; at most 2 MB are read"


@pytest.mark.parametrize("question_id", ["../secret", "a/b", "..", ".", "/etc/passwd", "..\\secret"])
def test_id_never_leads_out_of_the_folder(folders: Folders, question_id: str) -> None:
    (folders[1].parent / "secret.txt").write_text("Paris")
    (folders[1].parent / "secret.csv").write_text("Paris")
    files = open_files(*folders)
    assert reason(files.read_prediction, question_id) == "no prediction"
    assert reason(files.read_truth, question_id) == "truth file missing"


def test_accents_of_a_file_name_may_be_spelled_in_two_signs(folders: Folders) -> None:
    (folders[1] / "cafe\u0301.txt").write_text("Paris")
    assert open_files(*folders).read_prediction("caf\u00e9").reply == "Paris"


def test_link_to_another_file_is_followed(folders: Folders, tmp_path: Path) -> None:
    (tmp_path / "blob").write_text("Paris")
    (folders[1] / "1.txt").symlink_to(tmp_path / "blob")
    assert open_files(*folders).read_prediction("1").reply == "Paris"


def test_link_to_the_truth_is_no_prediction(folders: Folders) -> None:
    (folders[1] / "1.csv").symlink_to(folders[0] / "1.csv")
    assert reason(open_files(*folders).read_prediction, "1").startswith("prediction file is a link to the truth file")


def test_link_that_leads_nowhere_is_named(folders: Folders) -> None:
    (folders[1] / "1.csv").symlink_to(folders[1] / "gone")
    assert "No such file" in reason(open_files(*folders).read_prediction, "1")


def test_truths_may_be_scored_against_themselves(folders: Folders, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "1.csv").symlink_to(folders[0] / "1.csv")
    assert open_files(linked, linked).read_prediction("1").file == b"Paris\n"


def test_first_ending_counts_and_the_others_are_named(folders: Folders) -> None:
    files = files_with(folders, _1_csv=b"a", _1_txt=b"b", _1_json=json.dumps({"prediction": "c"}).encode())
    assert files.read_prediction("1").reply == "c"
    assert remarks(files, ["1"]) == ("questions with several prediction files: 1 (1.json counts, not 1.txt, 1.csv)",)


def test_files_of_no_question_are_counted_once(folders: Folders) -> None:
    names = {f"_{number}_json": b"{}" for number in range(1, 9)}
    assert remarks(files_with(folders, **names), ["1", "x"]) == (
        "prediction files of no question, left out: 7 (2.json, 3.json, 4.json, 5.json, 6.json and 2 more)",
    )


def test_folder_in_which_nothing_fits_says_how_files_are_named(folders: Folders) -> None:
    (said,) = remarks(files_with(folders, _q1_json=b"{}"), ["1", "2"])
    assert said.endswith("; ids are file names without ending, such as '1'")


@pytest.mark.parametrize("name", ["_final_scores.json", "._1.json", ".hidden.txt", "notes.md", "README"])
def test_notes_beside_predictions_are_ignored(folders: Folders, name: str) -> None:
    (folders[1] / name).write_text("{}")
    assert remarks(files_with(folders, _1_json=b"{}"), ["1"]) == ()


def test_folder_without_predictions_is_named(folders: Folders) -> None:
    assert remarks(files_with(folders), ["1"]) == (f"{folders[1]} holds no file that ends in .json, .txt, .tsv, .csv",)


def test_id_may_begin_like_a_note(folders: Folders) -> None:
    (folders[1] / "_a.txt").write_text("Paris")
    assert open_files(*folders).read_prediction("_a").reply == "Paris"


def test_few_ids_take_few_names_along(folders: Folders) -> None:
    files = files_with(folders, _1_txt=b"a", _2_txt=b"b").only(["2"])
    assert (list(files.predictions.names), list(files.truths.names)) == (["2"], [])


@pytest.mark.parametrize(("name", "says"), [("nowhere", "No such file or directory"), ("file", "Not a directory")])
def test_folder_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=f"cannot read the folder .*{name}: {says}; a folder .*such as 7.csv"):
        open_files(tmp_path / name, tmp_path)

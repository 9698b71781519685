"""The way of a move through the code stays short, and the page about the architecture describes it."""

from benchmarks.move_path import way_of_a_move
from tests.project.repository import read

MAX_SERVER_FILES = 28
MAX_CALLS = 190


def test_a_placing_ply_crosses_few_files_and_makes_few_calls() -> None:
    calls = way_of_a_move()
    assert calls[0].function == "Connection.data_received"
    assert calls[-1].function == "Connection.is_open", "before the last send"
    files = {call.file.removeprefix("server/") for call in calls if call.file.startswith("server/")}
    assert len(files) <= MAX_SERVER_FILES, sorted(files)
    assert len(calls) <= MAX_CALLS
    assert not [file for file in files if "tracing" in file], "traces that are off are not on the way"
    one_move = read("docs/architecture.md").partition("## One move")[2].partition("\n## ")[0]
    assert [file for file in sorted(files) if file not in one_move] == []

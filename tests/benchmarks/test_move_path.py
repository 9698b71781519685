"""The way of a move through the code stays short."""

from benchmarks.move_path import way_of_a_move


def test_a_placing_ply_crosses_few_files_and_makes_few_calls() -> None:
    calls = way_of_a_move()
    files = {call.file for call in calls if call.file.startswith("server/")}
    assert 20 <= len(files) <= 28, sorted(files)
    assert 100 <= len(calls) <= 190

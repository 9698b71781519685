"""`millrace tune`: the same seed makes the same file, and a file that cannot be written is refused at once."""

import os
import re
import signal
from pathlib import Path

import pytest

from millrace.engine.weights import read_weights
from millrace.server.app.commands import tune as commands
from millrace.server.bots.tuning.weight_files import require_writable
from tests.commands import finish, output_of, start

SMALL = ("battlesheep", "--rounds", "2", "--matches", "4", "--nodes", "50")


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_the_same_seed_gives_the_same_file_with_any_number_of_processes(tmp_path: Path) -> None:
    made = []
    for name, seed, workers in (("first", "5", "1"), ("again", "5", "2"), ("other", "6", "1")):
        file = tmp_path / name
        printed = output_of("tune", *SMALL, "--seed", seed, "--workers", workers, "--file", str(file))
        assert f"Wrote the weights to {file}." in printed
        made.append(file.read_bytes())
    first, again, other = made
    assert first == again
    assert read_weights(first).weights != read_weights(other).weights


@pytest.mark.parametrize("name", ["missing/weights.json", "."])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_played(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "players", lambda _processes: pytest.fail("it played"))
    printed = output_of("tune", *SMALL, "--file", str(tmp_path / name), code=1)
    assert f"{tmp_path / name} cannot be written: " in printed.replace("\n", "")


def test_checking_whether_a_file_can_be_written_changes_nothing(tmp_path: Path) -> None:
    kept, absent = tmp_path / "kept.json", tmp_path / "absent.json"
    kept.write_bytes(b"weights")
    for file in (kept, absent):
        require_writable(file)
    assert kept.read_bytes() == b"weights"
    assert not absent.exists()


@pytest.mark.usefixtures("processes")
def test_an_interrupted_tuning_reports_its_progress_and_keeps_complete_rounds(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    arguments = ("battlesheep", "--matches", "4", "--nodes", "50", "--workers", "1", "--file", str(file))
    tuning = start("tune", *arguments, "--rounds", "100000")
    assert tuning.stdout is not None
    assert tuning.stdout.readline().startswith("round 1: ")
    os.killpg(tuning.pid, signal.SIGINT)
    code, output = finish(tuning)
    assert code == 130
    assert "Traceback" not in output
    found = re.search(r"Interrupted in round (\d+) of 100000, after (\d) of 4 matches\.", output)
    assert found is not None
    assert f"--rounds {int(found[1]) - 1} " in read_weights(file.read_bytes()).source
    assert f"continue from them with --start {file}." in output

"""`millrace tune`: the same seed makes the same file, and a file that cannot be written is refused at once."""

from pathlib import Path

import pytest

from millrace.engine.weights import read_weights
from millrace.server.commands import tune as commands
from millrace.server.tuning.weight_files import require_writable
from tests.commands import run

SMALL = ("battlesheep", "--rounds", "2", "--matches", "4", "--nodes", "50")


def test_the_same_seed_makes_the_same_file_whoever_plays_and_another_seed_another(tmp_path: Path) -> None:
    made = []
    for name, seed, workers in (("first", "5", "1"), ("again", "5", "2"), ("other", "6", "1")):
        file = tmp_path / name
        code, printed = run("tune", *SMALL, "--seed", seed, "--workers", workers, "--file", str(file))
        assert code == 0
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
    code, printed = run("tune", *SMALL, "--file", str(tmp_path / name))
    assert code == 1
    assert f"{tmp_path / name} cannot be written: " in printed.replace("\n", "")


def test_asking_whether_a_file_can_be_written_changes_nothing(tmp_path: Path) -> None:
    kept, absent = tmp_path / "kept.json", tmp_path / "absent.json"
    kept.write_bytes(b"weights")
    for file in (kept, absent):
        require_writable(file)
    assert kept.read_bytes() == b"weights"
    assert not absent.exists()

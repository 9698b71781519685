"""Compiled kernels kept on disk: found again by another process, and never in the place of others."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millrace.engine.bindings import bindings_of
from millrace.engine.bits import kernel
from millrace.engine.games import find_game
from millrace.engine.kernel_cache import UnknownError, identity_of
from tests.engine.kernel_processes import run

pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")


@pytest.fixture(scope="module")
def key() -> int:
    """The key that all must find."""
    game = find_game("morris")
    return bindings_of(game).key(np.zeros(game.rules.position_words, dtype=np.uint64))


@pytest.mark.usefixtures("processes")
def test_a_second_process_compiles_nothing(tmp_path: Path, key: int) -> None:
    found, compilations = run(tmp_path)
    assert found == key
    assert compilations > 0
    assert run(tmp_path) == (key, 0)


@pytest.mark.usefixtures("processes")
def test_a_folder_that_cannot_be_had_is_done_without(tmp_path: Path, key: int) -> None:
    (tmp_path / "file").touch()
    found, compilations = run(tmp_path / "file")
    assert found == key
    assert compilations > 0


@pytest.mark.usefixtures("processes")
def test_nothing_is_kept_for_whoever_wants_nothing_kept(key: int) -> None:
    for _ in range(2):
        found, compilations = run("off")
        assert found == key
        assert compilations > 0


def made_of(number: int, array: list[int], call: Callable[[int], int] = abs) -> Any:
    """Return a kernel as if it were one of the engine's."""
    table = np.array(array)

    @kernel
    def caller(value: int) -> int:
        return call(value) + number + int(table[0])

    caller.py_func.__module__ = "millrace.engine.imagined"  # type: ignore[attr-defined]
    return caller


def identity(made: Any) -> str:
    return identity_of(made.py_func)


def test_kernels_that_are_made_of_the_same_are_the_same() -> None:
    assert identity(made_of(1, [2])) == identity(made_of(1, [2]))


def test_a_kernel_is_told_from_one_with_another_number_array_or_callee() -> None:
    others = [made_of(1, [2]), made_of(2, [2]), made_of(1, [3]), made_of(1, [2], made_of(1, [2])), made_of(1, [2, 2])]
    others.append(made_of(1, [2], made_of(1, [2], made_of(3, [2]))))
    assert len({identity(other) for other in others}) == len(others)


def test_code_from_elsewhere_is_not_kept() -> None:
    elsewhere = made_of(1, [2])
    elsewhere.py_func.__module__ = "somewhere.else"
    for unknown in (elsewhere, made_of(1, [2], elsewhere), made_of(1, [2], lambda value: value)):
        with pytest.raises(UnknownError):
            identity(unknown)


def test_code_that_calls_itself_is_not_kept() -> None:
    made = made_of(1, [2])
    made.py_func.__closure__[0].cell_contents = made
    with pytest.raises(UnknownError, match="calls itself"):
        identity(made)

"""Compiled kernels cached on disk: found by other processes, and never confused with others."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import millrace
from millrace.engine.bindings import bindings_of
from millrace.engine.games import find_game
from millrace.engine.kernel_cache import VARIABLE, UnknownError, identity_of, kernels_folder
from millrace.engine.kernel_files import delete_oldest
from tests.engine.kernel_processes import check_compiled, run

pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")


@pytest.fixture(scope="module")
def key() -> int:
    """The key that all must find."""
    game = find_game("morris")
    return bindings_of(game).key(np.zeros(game.rules.position_words, dtype=np.uint64))


@pytest.mark.usefixtures("processes")
def test_a_second_process_compiles_nothing(tmp_path: Path, key: int) -> None:
    check_compiled(tmp_path, key)
    assert run(tmp_path) == (key, 0)


@pytest.mark.usefixtures("processes")
def test_a_folder_that_cannot_be_created_is_not_needed(tmp_path: Path, key: int) -> None:
    (tmp_path / "file").touch()
    check_compiled(tmp_path / "file", key)


@pytest.mark.usefixtures("processes")
def test_nothing_is_cached_if_the_cache_is_switched_off(key: int) -> None:
    for _ in range(2):
        check_compiled("off", key)


CALLEES = """
import numpy as np
from millrace.engine.bits import kernel

BONUS = 3

@kernel
def bonus_of(value):
    return value + BONUS

def label_of(value):
    return f"{value} points"
"""

KERNELS = """
from typing import NamedTuple
import numpy as np
from numba import types
from numba.extending import intrinsic
from millrace.engine.bits import allocating_kernel, count_cells, kernel, short_kernel
from millrace.engine.kernel_cache import implement
from millrace.engine.imagined_callees import bonus_of

FACTOR = 2
WEIGHTS = np.array([5, 7])

class Pair(NamedTuple):
    first: int
    second: int

@intrinsic
def one(_context):
    def generate(context, _builder, _signature, _arguments):
        return context.get_constant(types.int64, 1)
    return types.int64(), generate

def half(value):
    return value // 2

implement(half, lambda value: lambda value: value >> 1)

@kernel
def doubled(value, share=1):
    return value * FACTOR + share

def weigh_by(weights):
    @kernel
    def weigh(value):
        return value * weights[0] + weights[1]
    return weigh

weigh = weigh_by(WEIGHTS)

@short_kernel
def total(pair):
    "Add it all up."
    halves = [half(each) for each in (2, 4)]
    return weigh(doubled(pair.first)) + bonus_of(pair.second) + half(8) + one() + halves[0]

@kernel
def first_of(pair):
    return pair.first

@kernel
def alone(value):
    return value + 1
"""

CHANGES = {
    "a constant": ("FACTOR = 2", "FACTOR = 4"),
    "a weight": ("np.array([5, 7])", "np.array([5, 8])"),
    "a callee": ("value * FACTOR + share", "FACTOR * value + share + 0"),
    "a default": ("share=1", "share=2"),
    "a decorator of a callee": ("@kernel\ndef doubled", "@allocating_kernel\ndef doubled"),
    "its own decorator": ("@short_kernel\ndef total", "@kernel\ndef total"),
    "what is called in a comprehension": ("half(each)", "doubled(each)"),
    "a factory's kernel": ("weights[0] + weights[1]", "weights[1] + weights[0]"),
    "an intrinsic": ("types.int64, 1)", "types.int64, 2)"),
    "the implementation of a function": ("value >> 1", "value >> 2"),
    "a constant of another file": ("BONUS = 3", "BONUS = 4"),
    "a callee in another file": ("value + BONUS", "value - BONUS"),
}
"""What must change the kernel `total`: a text and what stands in its place."""

OTHER_CHANGES = {
    "its docstring": ("Add it all up.", "Return the sum."),
    "a comment": ("FACTOR = 2", "FACTOR = 2  # twice"),
    "empty lines": ("FACTOR = 2", "\n\nFACTOR = 2"),
    "another kernel": ("return value + 1", "return value + 2"),
    "a text function in another file": ("points", "men"),
}


def load(edit: tuple[str, str] = ("", "")) -> Any:
    """Load the kernels as if they were the engine's, with one text replaced."""
    for name, source in (("imagined_callees", CALLEES), ("imagined", KERNELS)):
        module = ModuleType(f"millrace.engine.{name}")
        sys.modules[module.__name__] = module
        exec(source.replace(*edit) if edit[0] else source, module.__dict__)
    return module


@pytest.fixture(autouse=True)
def forget_imagined() -> Iterator[None]:
    """Unload what `load` loads."""
    yield
    for name in ("imagined_callees", "imagined"):
        sys.modules.pop(f"millrace.engine.{name}", None)


@pytest.mark.parametrize("change", CHANGES)
def test_a_kernel_changes_with_everything_that_it_is_compiled_from(change: str) -> None:
    assert any(CHANGES[change][0] in source for source in (CALLEES, KERNELS))
    before, after = load(), load(CHANGES[change])
    assert identity_of(before.total) != identity_of(after.total)
    assert identity_of(before.alone) == identity_of(after.alone)
    assert identity_of(before.first_of) == identity_of(after.first_of)


@pytest.mark.parametrize("change", OTHER_CHANGES)
def test_a_kernel_does_not_change_with_anything_else(change: str) -> None:
    assert any(OTHER_CHANGES[change][0] in source for source in (CALLEES, KERNELS))
    assert identity_of(load().total) == identity_of(load(OTHER_CHANGES[change]).total)


def test_kernels_that_take_a_position_with_other_fields_are_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    kernels_folder.cache_clear()
    imagined = load()
    assert imagined.first_of(imagined.Pair(1, 2)) == 1
    swapped = load(("first: int\n    second: int", "second: int\n    first: int"))
    assert identity_of(swapped.first_of) == identity_of(imagined.first_of)
    assert swapped.first_of(swapped.Pair(1, 2)) == 2
    assert len(list(tmp_path.rglob("first_of-*"))) == 2
    kernels_folder.cache_clear()


def test_a_docstring_that_is_read_is_a_constant() -> None:
    def made(text: str) -> Any:
        module = load(("return value + 1", f'"""{text}"""\n    return len("{text}")'))
        return module.alone

    assert identity_of(made("one")) != identity_of(made("three"))


def load_elsewhere(edit: tuple[str, str] = ("", "")) -> Any:
    """Load the kernels as if they were a plug-in's, one of which finds another through its module."""
    helpers = ModuleType("somewhere.helpers")
    exec(CALLEES.replace(*edit) if edit[0] else CALLEES, helpers.__dict__)
    rules = ModuleType("somewhere.rules")
    rules.__dict__["helpers"] = helpers
    source = "from millrace.engine.bits import kernel\n@kernel\ndef count(value):\n    return helpers.bonus_of(value)"
    exec(source, rules.__dict__)
    return rules


@pytest.mark.parametrize("change", ["a constant of another file", "a callee in another file"])
def test_a_kernel_of_another_package_changes_with_its_helper_modules(change: str) -> None:
    before, again, after = load_elsewhere(), load_elsewhere(), load_elsewhere(CHANGES[change])
    assert before.count(1) == 4
    assert identity_of(before.count) == identity_of(again.count) != identity_of(after.count)


def test_a_kernel_of_another_package_does_not_change_with_texts() -> None:
    edited = load_elsewhere(OTHER_CHANGES["a text function in another file"])
    assert identity_of(load_elsewhere().count) == identity_of(edited.count)


def test_an_overload_that_the_cache_cannot_see_is_not_cached() -> None:
    extended = ("implement(half,", "from numba.extending import overload\noverload(half)(")
    with pytest.raises(UnknownError, match=r"total uses half\. half has an overload"):
        identity_of(load(extended).total)


@pytest.mark.parametrize("value", ["object()", "set()", "type('Other', (), {})"])
def test_a_kernel_that_depends_on_an_unknown_value_is_not_cached(value: str) -> None:
    with pytest.raises(UnknownError, match="doubled uses FACTOR"):
        identity_of(load(("FACTOR = 2", f"FACTOR = {value}")).doubled)


def test_the_engine_extends_numba_only_in_ways_that_are_part_of_an_identity() -> None:
    engine = Path(millrace.__path__[0]) / "engine"
    extensions = {
        (path.name, name.strip())
        for path in engine.rglob("*.py")
        for names in re.findall(r"from numba\.extending import (.+)", path.read_text())
        for name in names.split(",")
    }
    known = {("bits.py", "intrinsic"), ("kernel_cache.py", "_Intrinsic"), ("kernel_cache.py", "overload")}
    never_cached = {("views.py", "intrinsic")}  # for browsers
    assert extensions == known | never_cached


def test_code_that_calls_itself_is_not_cached() -> None:
    with pytest.raises(UnknownError, match="calls itself"):
        identity_of(load(("return value + 1", "return alone(value)")).alone)


@pytest.mark.usefixtures("processes")
def test_an_edit_of_texts_keeps_the_kernels_and_one_of_rules_compiles_them_again(tmp_path: Path) -> None:
    source = tmp_path / "source" / "millrace"
    shutil.copytree(Path(millrace.__path__[0]) / "engine", source / "engine", ignore=lambda *_: ["__pycache__"])
    (source / "__init__.py").touch()

    def edit(name: str, old: str, new: str) -> None:
        path = source / "engine" / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    folder = tmp_path / "kernels"
    key, compilations = run(folder, source.parent)
    assert compilations > 0
    edit("games/morris/notation.py", "A position has", "Every position has")
    edit("uci/board_text.py", "import", "# Edited\nimport")
    edit("bindings.py", '"""Return a 64-bit key of a position:', '"""Return the key of a position in 64 bits:')
    assert run(folder, source.parent) == (key, 0)
    edit("bindings.py", "position[index] if index < kept", "~position[index] if index < kept")
    other, compilations = run(folder, source.parent)
    assert other != key
    assert compilations > 0


def test_the_least_recently_used_kernels_are_deleted(tmp_path: Path) -> None:
    for age in range(10):
        path = tmp_path / f"{age}.kernel"
        path.touch()
        os.utime(path, (1_000 - age, 1_000 - age))
    delete_oldest(tmp_path, 10)
    assert len(list(tmp_path.iterdir())) == 10
    (tmp_path / "new.kernel").touch()
    delete_oldest(tmp_path, 10)
    assert {path.stem for path in tmp_path.iterdir()} == {*map(str, range(8)), "new"} - {"8", "9"}

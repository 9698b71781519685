"""A damaged kernel cache costs time and nothing else: what does not match its digest is compiled again."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millrace.engine.kernel_files import read_kernel, write_kernel
from tests.engine.kernel_processes import check_compiled, finish, run, start

CONTENT = bytes(range(200))

compiled = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")

pytestmark = pytest.mark.sampled


@pytest.fixture(scope="module")
def filled(processes: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A filled cache, and the key that was computed with it."""
    folder = tmp_path_factory.mktemp("kernels")
    key, compilations = run(folder)
    assert compilations > 0
    return folder, key


@pytest.fixture
def writable() -> Iterator[list[Path]]:
    """Folders whose permissions are restored after the test, so that they can be deleted."""
    folders: list[Path] = []
    yield folders
    for folder in folders:
        folder.chmod(0o700)


def kernels_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.kernel"))


def overwrite(path: Path, start: int, new: bytes) -> None:
    content = bytearray(path.read_bytes())
    content[start : start + len(new)] = new
    path.write_bytes(bytes(content))


def middle(path: Path) -> int:
    return path.stat().st_size // 2


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_another(path: Path) -> None:
    others = [other for other in kernels_in(path.parent) if other.name.split("-")[0] != path.name.split("-")[0]]
    shutil.copy(others[0], path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: os.truncate(path, 20),
        lambda path: os.truncate(path, middle(path)),
        lambda path: os.truncate(path, path.stat().st_size - 1),
        lambda path: path.write_bytes(path.read_bytes() + b"\0"),
        lambda path: overwrite(path, 50, b"\xff" * 6),
        lambda path: overwrite(path, middle(path), b"\xff" * 60),
        lambda path: overwrite(path, path.stat().st_size - 64, b"\xff" * 64),
        lambda path: path.write_bytes(bytes(path.stat().st_size)),
    ],
    ids=[
        *("empty", "cut in the digest", "cut in the middle", "cut at the end", "longer", "bytes 50 to 56 overwritten"),
        *("the middle overwritten", "the end overwritten", "zeros"),
    ],
)
def test_a_damaged_file_is_not_read_and_deleted(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    path = tmp_path / "sum-1.kernel"
    write_kernel(path, CONTENT)
    damage(path)
    assert read_kernel(path) is None
    assert not path.exists()


@compiled
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: overwrite(path, middle(path), b"\xff" * 600), id="the middle overwritten"),
        pytest.param(replace_by_another, id="another kernel"),
        pytest.param(replace_by_folder, id="a folder"),
    ],
)
def test_damaged_kernels_are_compiled_again(
    tmp_path: Path, filled: tuple[Path, int], damage: Callable[[Path], object]
) -> None:
    folder, key = filled
    cache = shutil.copytree(folder, tmp_path / "kernels")
    for path in kernels_in(cache):
        damage(path)
    check_compiled(cache, key)
    if damage is not replace_by_folder:
        assert run(cache) == (key, 0)


@compiled
def test_a_read_only_cache_is_read(tmp_path: Path, filled: tuple[Path, int], writable: list[Path]) -> None:
    folder, key = filled
    cache = shutil.copytree(folder, tmp_path / "kernels")
    inner = kernels_in(cache)[0].parent
    writable += [inner, cache]
    inner.chmod(0o500)
    cache.chmod(0o500)
    assert run(cache) == (key, 0)


@compiled
@pytest.mark.parametrize("mode", [0o500, 0o300, 0o000])
def test_an_empty_cache_that_cannot_be_used_is_ignored(
    tmp_path: Path, filled: tuple[Path, int], writable: list[Path], mode: int
) -> None:
    folder, key = filled
    cache = shutil.copytree(folder, tmp_path / "kernels")
    inner = kernels_in(cache)[0].parent
    for path in kernels_in(cache):
        path.unlink()
    writable += [inner, cache]
    inner.chmod(mode)
    check_compiled(cache, key)


@compiled
def test_two_processes_fill_one_cache_at_once(tmp_path: Path, filled: tuple[Path, int]) -> None:
    _, key = filled
    processes = [start(tmp_path), start(tmp_path)]
    assert [finish(process)[0] for process in processes] == [key, key]
    assert run(tmp_path) == (key, 0)
    assert all(path.suffix == ".kernel" for path in tmp_path.rglob("*") if path.is_file())


def test_a_change_of_any_byte_is_detected_and_the_file_deleted(tmp_path: Path) -> None:
    path = tmp_path / "sum-1.kernel"
    write_kernel(path, CONTENT)
    assert read_kernel(path) == CONTENT
    whole = path.read_bytes()
    for place in range(len(whole)):
        overwrite(path, place, bytes([whole[place] ^ 1]))
        assert read_kernel(path) is None
        assert not path.exists()
        path.write_bytes(whole)


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_kernel(tmp_path / "sum-1.kernel", CONTENT)
    assert list(tmp_path.iterdir()) == []

"""`millrace export` and `millrace import`: an archive round-trips through a file, once."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from millrace.protocol import ClockSettings
from millrace.server.app.stores import open_storage
from millrace.server.archive.archive_query import ArchiveQuery
from millrace.server.archive.record import MatchRecord, PlyRecord, SeatRecord
from millrace.server.archive.record_reader import read_matches
from tests import commands
from tests.server.archive.filling import ANN, BEN, store_match

MORRIS = ("morris", ("a7", "g1"))


async def archive_of(folder: Path, *played: tuple[str, tuple[str, ...]]) -> str:
    """Store matches named from m1, and return the address of their database."""
    database = str(folder / "here.db")
    stores = await open_storage(database)
    for number, (game, moves) in enumerate(played, 1):
        await store_match(stores.journal, f"m{number}", (ANN, BEN), (1, 2), number, game, moves)
    await stores.close()
    return database


async def run(*arguments: str, code: int = 0) -> str:
    return await asyncio.to_thread(commands.output_of, *arguments, code=code)


@pytest.mark.parametrize("arguments", [("export", "-"), ("archive", "pack")])
def test_a_missing_database_is_reported_and_not_created(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert "there is no database at" in commands.output_of(*arguments, "--data-dir", str(tmp_path), code=1)
    assert list(tmp_path.iterdir()) == []


def test_commands_find_the_data_folder_and_the_database_as_the_server_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILLRACE_DATA_DIR", str(tmp_path))
    assert f"there is no database at {tmp_path}" in commands.output_of("export", "-", code=1)
    monkeypatch.setenv("MILLRACE_DATABASE", str(tmp_path / "other.db"))
    assert f"there is no database at {tmp_path / 'other.db'}" in commands.output_of("export", "-", code=1)


def test_a_folder_that_is_typed_counts_more_than_a_database_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILLRACE_DATABASE", str(tmp_path / "other.db"))
    typed = ("export", "-", "--data-dir", str(tmp_path))
    output = commands.output_of(*typed, code=1)
    assert f"there is no database at {tmp_path / 'millrace.sqlite3'}" in output
    named = str(tmp_path / "named.db")
    assert f"there is no database at {named}" in commands.output_of(*typed, "--database", named, code=1)
    copying = ("migrate", "--from", str(tmp_path / "a.db"), "--to", str(tmp_path / "b.db"))
    assert f"there is no database {tmp_path / 'a.db'}" in commands.output_of(*copying, code=1)


@pytest.mark.parametrize("name", ["all.json", "all.txt", "all.sgf", "all.playok.txt"])
async def test_exported_matches_are_imported_once_and_found_by_everyone(tmp_path: Path, name: str) -> None:
    here, there, file = await archive_of(tmp_path, MORRIS, MORRIS, MORRIS), str(tmp_path / "there.db"), tmp_path / name
    assert "3 matches" in await run("export", str(file), "--database", here)
    assert "Imported 0 matches; 3 were" in await run("import", str(file), "--database", here)
    assert "Imported 3 matches.\n" in await run("import", str(file), "--database", there)
    assert "Imported 0 matches; 3 were" in await run("import", str(file), "--database", there)
    stores = await open_storage(there)
    found = await stores.archive.search(ArchiveQuery(game="morris"), 10)
    assert [each.plies for each in found] == [2, 2, 2]
    assert await stores.archive.search(ArchiveQuery(ANN.id), 10) == []
    await stores.close()
    if name.endswith(".json"):
        assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == ["m3", "m2", "m1"]


async def test_chosen_matches_are_exported_also_to_standard_output(tmp_path: Path) -> None:
    here, file = await archive_of(tmp_path, MORRIS, MORRIS, MORRIS), tmp_path / "one.txt"
    assert "Wrote 1 match" in await run("export", str(file), "--match", "m2", "--database", here)
    assert file.read_text().count("[Event ") == 1
    lines = await run("export", "-", "--json", "--match", "m3", "--match", "m1", "--database", here)
    assert [json.loads(line)["id"] for line in lines.splitlines()] == ["m3", "m1"]
    assert "(;GM[5]" in await run("export", "-", "--form", "sgf", "--match", "m3", "--database", here)
    assert "1. 1 {[%clk 0:05:00]} 24" in await run(
        "export", "-", "--form", "playok", "--match", "m3", "--database", here
    )
    assert "There is no form 'pdf'" in await run("export", "-", "--form", "pdf", "--database", here, code=1)
    assert "There is no match m9." in await run("export", "-", "--match", "m9", "--database", here, code=1)


async def test_matches_that_a_form_cannot_express_are_counted(tmp_path: Path) -> None:
    here, file = await archive_of(tmp_path, MORRIS, ("mingmang", ("d1-d4", "pass"))), tmp_path / "some.sgf"
    said = await run("export", str(file), "--database", here)
    assert "Wrote 1 match" in said
    assert "1 were left out, which SGF cannot express." in " ".join(said.split())
    said = await run("export", str(file), "--match", "m2", "--database", here, code=1)
    assert "Match m2: SGF has no number for Ming Mang." in said


async def test_a_file_of_another_encoding_is_imported(tmp_path: Path) -> None:
    file, there = tmp_path / "old.pgn", str(tmp_path / "there.db")
    file.write_bytes('[White "Jörg"]\n\n1. 5 14 2. 10 1-0\n'.encode("utf-16"))
    assert "Imported 1 match" in await run("import", str(file), "--game", "morris", "--database", there)
    assert '[White "Jörg"]' in await run("export", "-", "--database", there)


async def test_imported_records_are_exported_unchanged(tmp_path: Path) -> None:
    """Also what the events of a match cannot say: unknown times and clocks, and other tags."""
    file, there = tmp_path / "old.json", str(tmp_path / "there.db")
    seats = SeatRecord("Ann", "guest", 1500), SeatRecord("Ben", "bot")
    plies = PlyRecord("d6", 1_500), PlyRecord("f4")
    old, day_ms = MatchRecord(game="morris", seats=seats, plies=plies), -2_293_228_800_000
    known = [
        replace(old, started_ms=day_ms, tags={"Date": "1897.05.01"}),
        replace(old, tags={"Date": "2019.07.??", "TimeControl": "40/7200:3600", "Annotator": "Cy"}),
        replace(old, rated=True, clock=ClockSettings(300_000)),
        replace(old, ranks=(1, 2), termination="Normal", void=True, ended_ms=-1000, tags={"Site": "Riga"}),
    ]
    file.write_bytes(msgspec.json.encode(known))
    assert "Imported 4 matches" in await run("import", str(file), "--database", there)
    for form in ("json", "txt", "sgf"):
        text = await run("export", "-", "--form", form, "--database", there)
        found = [reading.record for reading in read_matches(text)]
        if form != "json":
            # These have no word for a guest.
            known = [replace(each, seats=(SeatRecord("Ann", "person", 1500), seats[1])) for each in known]
        comparable = [replace(each, id="", imported=False) for each in found]
        assert all(each in comparable for each in known), form


async def test_an_import_is_not_stored_again_from_its_exports(tmp_path: Path) -> None:
    file, there = tmp_path / "old.txt", str(tmp_path / "there.db")
    tags = '[Annotator "Cy"]\n[Site "C:\\new\\games"]\n[Event "Casual"]\n[UTCDate "2020.02.03"]\n[UTCTime "10:00"]\n'
    played = '[White "Ana"]\n[Black "Ben"]\n\n1. f6 g1 2. b2 c4 1-0\n'
    file.write_text(f"{played}\n{tags}{played}")
    assert "Imported 2 matches" in await run("import", str(file), "--game", "morris", "--database", there)
    for name in ("all.txt", "all.json", "all.sgf", "all.playok.txt"):
        await run("export", str(tmp_path / name), "--database", there)
        assert "Imported 0 matches; 2 were" in await run("import", str(tmp_path / name), "--database", there), name


async def test_a_file_in_another_encoding_needs_its_name(tmp_path: Path) -> None:
    file, there = tmp_path / "cyrillic.pgn", str(tmp_path / "there.db")
    file.write_bytes('[White "Иванов"]\n\n1. d6 f4 (1... -- 2. a1) *\n'.encode("windows-1251"))
    arguments = ("import", str(file), "--game", "morris", "--database", there)
    assert "Name the encoding" in await run(*arguments, code=1)
    said = await run(*arguments, "--encoding", "windows-1251")
    assert "match 1: A variation with a null move became a comment." in said
    assert '[White "Иванов"]' in await run("export", "-", "--database", there)


async def test_a_faulty_file_is_refused_with_the_place_of_the_fault(tmp_path: Path) -> None:
    file = tmp_path / "faulty.txt"
    file.write_text("1. d6 f4\n2. d6 *\n")
    arguments = ("import", str(file), "--game", "morris", "--database", str(tmp_path / "there.db"))
    assert "Line 2, move 2: d6 is not allowed here." in await run(*arguments, code=1)


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "There are no matches in this file."), (b"PK\3\4\0\0\0\0", "not a text file")]
)
async def test_a_file_without_matches_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "empty.pgn"
    file.write_bytes(content)
    said = await run("import", str(file), "--database", str(tmp_path / "there.db"), code=1)
    assert "empty.pgn" in said
    assert words in said

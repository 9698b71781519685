"""Packing is exact: from what is packed come the same rows, of every kind of event and of whatever a table may hold."""

import json
from base64 import b64decode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import CommandId, Event, Moved, encode
from millrace.server.journal.entries import NO_SEAT
from millrace.server.journal.entropy_coding import ChoiceReader, ChoiceWriter, Counts, Model
from millrace.server.journal.packed_form import FORMAT, EventRow, Packed, pack, rest_rows, unpack, with_bodies
from tests.server.archive.stored_matches import MATCHES

PACKED = MATCHES[0].parent / "packed_1.json"
CREATED = '{"type":"created","game":"morris","setup":"","seats":[],"clock":null}'
TIMES = st.integers(0, 2**42) | st.integers(0, 5)
CLOCKS = st.lists(st.integers(-(10**14), 10**14), max_size=5).map(tuple)
COMMAND_IDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64) | st.builds(
    "{}-{}".format, st.sampled_from(["q3Xk", "w"]), st.integers(0, 300)
)
MOVES = st.sampled_from(["a7", "g1", "a1-a4", "a1-a4xd7", "c4-c3:4", "pass", ""]) | st.text(max_size=8)


def plies() -> st.SearchStrategy[Event]:
    flags = st.booleans()
    return st.builds(Moved, st.integers(0, 5), MOVES, st.none() | CLOCKS, flags, flags)


@st.composite
def rows(draw: st.DrawFn) -> list[EventRow]:
    """Rows of a match: generated events of every kind, some as earlier releases wrote them."""
    events = st.one_of(plies(), plies(), st.from_type(Event))  # type: ignore[arg-type]  # a union
    bodies = [CREATED]
    for event in draw(st.lists(events, max_size=12)):
        body = encode(event).decode()
        bodies.append(body.replace(',"planned":false', "") if draw(st.booleans()) else body)
    seats, ids = st.integers(NO_SEAT, 4), st.none() | COMMAND_IDS.map(CommandId)
    return [EventRow(seq, draw(TIMES), draw(seats), draw(ids), body) for seq, body in enumerate(bodies, 1)]


@given(rows())
def test_unpacked_rows_are_the_same(written: list[EventRow]) -> None:
    packed = pack(written)
    assert unpack(packed) == written
    bodies = iter([row.body for row in written])
    assert all(row.body in bodies for row in rest_rows(packed.rest)), "in their order"


@given(rows())
def test_other_bodies_replace_those_of_the_rest_alone(written: list[EventRow]) -> None:
    packed = pack(written)
    bodies = [row.body.replace('"name":"', '"name":"Deleted ') for row in rest_rows(packed.rest)]
    changed = unpack(packed._replace(rest=with_bodies(packed.rest, bodies)))
    assert changed == [row._replace(body=row.body.replace('"name":"', '"name":"Deleted ')) for row in written]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-(2**61), 2**61) | st.integers(-3, 3)), max_size=3000))
def test_numbers_are_read_as_written_whatever_their_contexts(numbers: list[tuple[str, int]]) -> None:
    known: Counts = {("a",): {0: 5, 2: 1}}
    writer, model = ChoiceWriter(), Model(known)
    for context, number in numbers:
        model.integer(writer, ((context,), ("any",)), number)
    reader, model = ChoiceReader(writer.content()), Model(known)
    assert [model.integer(reader, ((context,), ("any",)), 0) for context, _ in numbers] == [each for _, each in numbers]


def rows_of_file(path: Path) -> list[EventRow]:
    """Return the rows of a match that an old release stored."""
    *lines, _ = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        EventRow(line["seq"], line["at_ms"], NO_SEAT, None, json.dumps(line["event"], separators=(",", ":")))
        for line in lines
    ]


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_matches_of_old_releases_are_packed(path: Path) -> None:
    stored = rows_of_file(path)
    packed = pack(stored)
    assert unpack(packed) == stored
    assert len(packed.rest) + len(packed.plies) < sum(len(row.body) for row in stored) / 3


def test_what_format_1_has_packed_is_read_for_ever() -> None:
    """The file is never written again: another way to pack is another format, with a file of its own."""
    samples = json.loads(PACKED.read_text(encoding="utf-8"))
    files = {path.stem: path for path in MATCHES}
    for name, sample in samples.items():
        packed = Packed(sample["format"], sample["last_seq"], b64decode(sample["rest"]), b64decode(sample["plies"]))
        rows = [EventRow(*row) for row in sample["rows"]] if "rows" in sample else rows_of_file(files[name])
        assert unpack(packed) == rows, name


def test_what_is_no_whole_match_or_damaged_is_refused() -> None:
    created = EventRow(1, 5, NO_SEAT, None, CREATED)
    for wrong in ([], [created._replace(seq=2)], [created, created], [created._replace(body="{}")]):
        with pytest.raises(ValueError, match="from the first one on"):
            pack(wrong)
    packed = pack([created, EventRow(2, 9, 0, None, encode(Moved(0, "a7", None)).decode())])
    for damaged in (
        packed._replace(last_seq=5000),
        packed._replace(rest=b"\xff"),
        packed._replace(plies=b""),
        packed._replace(format=FORMAT + 1),
    ):
        with pytest.raises(ValueError):  # noqa: PT011  # each says something else
            unpack(damaged)

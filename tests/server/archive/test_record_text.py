"""Matches written and read again: nothing is lost, and faults are reported with their places."""

import random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import (
    Berserked,
    ClockSettings,
    Created,
    Ended,
    Event,
    MatchId,
    SeatPlan,
    Started,
    TimeGiven,
    Voided,
)
from millrace.server.archive.forms import FORMS
from millrace.server.archive.imports import entries_of, origin_of
from millrace.server.archive.record import MatchRecord, Note, PlyRecord, RecordError, SeatRecord
from millrace.server.archive.record_reader import ReadMatch, read_matches
from millrace.server.archive.record_text import format_match
from millrace.server.archive.record_writer import record_of
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.finish import finish_from
from tests.server.archive.playouts import DATES, DAY, ODD_TIMES, records

SLOW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
SITE = "https://millrace.example/match/k7m2p9qa4xzt"

WRITTEN = """\
[Event "Casual match"]
[Site "http://localhost:8000/match/k7m2p9qa4xzt"]
[Date "2025.11.24"]
[Round "-"]
[White "Beatrix"]
[Black "Bot, level 3"]
[Result "1-0"]
[UTCTime "16:00:00"]
[UTCEnd "2025.11.24 16:01:00"]
[WhiteRating "1520"]
[BlackType "program"]
[Game "morris"]
[TimeControl "300+2"]
[Termination "resignation"]
[Ending "Black resigned"]
[PlyCount "3"]

1. d6 {[%clk 0:04:58.2]} f4 {[%clk 0:05:00]} 2. a4 {[%clk 0:04:57]} 1-0

"""
RECORD = MatchRecord(
    id="k7m2p9qa4xzt",
    game="morris",
    seats=(SeatRecord("Beatrix", "person", 1520), SeatRecord("Bot, level 3", "bot")),
    clock=msgspec.convert({"initial_ms": 300_000, "increment_ms": 2_000}, MatchRecord.__annotations__["clock"]),
    started_ms=1_764_000_000_000,
    ended_ms=1_764_000_060_000,
    ranks=(1, 2),
    termination="resignation",
    explanation="Black resigned",
    plies=(PlyRecord("d6", 298_200), PlyRecord("f4", 300_000), PlyRecord("a4", 297_000)),
)


def read(text: str, default_game: str = "") -> ReadMatch:
    (reading,) = read_matches(text, default_game)
    return reading


def fault(text: str, default_game: str = "morris") -> str:
    with pytest.raises(RecordError) as error:
        list(read_matches(text, default_game))
    return str(error.value)


def test_a_match_is_written_as_text() -> None:
    assert format_match(RECORD, "http://localhost:8000/match/k7m2p9qa4xzt") == WRITTEN
    assert read(WRITTEN).record == RECORD


@SLOW
@given(records())
def test_text_and_json_round_trip_to_the_same_end(made: tuple[MatchRecord, State]) -> None:
    record, state = made
    text = format_match(record, f"https://millrace.example/match/{record.id}")
    for written in (text, msgspec.json.encode(record).decode()):
        reading = read(written)
        assert (reading.record, reading.changes) == (record, ())
        assert reading.state.position_text == state.position_text
        assert (reading.state.ply, reading.state.outcome) == (state.ply, state.outcome)


@SLOW
@given(records())
def test_sgf_round_trips_to_the_same_record(made: tuple[MatchRecord, State]) -> None:
    record, state = made
    try:
        written = FORMS["sgf"].text_of(record, f"https://millrace.example/match/{record.id}")
    except RecordError:
        assert record.game != "morris" or "w " in record.setup or "b " in record.setup
        return
    reading = read(written)
    assert reading.record == record
    assert reading.changes == ()
    assert reading.state.position_text == state.position_text


@SLOW
@given(records())
def test_lists_with_numbers_for_points_round_trip(made: tuple[MatchRecord, State]) -> None:
    record, _ = made
    try:
        written = FORMS["playok"].text_of(record, f"x/match/{record.id}")
    except RecordError:
        assert record.game != "morris"
        return
    assert read(written).record == record


@given(st.lists(st.integers(0, 300), max_size=40))
def test_sgf_nests_a_match_with_many_variations_no_deeper_than_its_variations(plies: list[int]) -> None:
    """Each ply with a variation opens a tree for the rest of the match."""
    state, moves = State.of(find_game("morris")), list[PlyRecord]()
    for choice in plies:
        if state.outcome is None:
            legal = [state.format_move(move) for move in state.legal_moves]
            number = f"{state.ply // 2 + 1}{'.' if state.seat == 0 else '...'}"
            moves.append(PlyRecord(legal[choice % len(legal)], note=Note(variations=(f"{number} {legal[0]}",))))
            state = state.play_text(moves[-1].move)
    if moves:
        record = MatchRecord(game="morris", seats=(SeatRecord("A"), SeatRecord("B")), plies=tuple(moves))
        assert read(FORMS["sgf"].text_of(record)).record.plies == record.plies


@SLOW
@given(records())
def test_imported_matches_are_exported_unchanged(made: tuple[MatchRecord, State]) -> None:
    record, state = made
    entries = entries_of(ReadMatch(record, state), 0)
    again = record_of(MatchId(record.id), [Recorded(seq, entry) for seq, entry in enumerate(entries, 1)])
    assert [(ply.move, ply.note) for ply in again.plies] == [(ply.move, ply.note) for ply in record.plies]
    assert (again.comment, again.setup, again.ranks) == (record.comment, record.setup, record.ranks)
    assert read(format_match(again)).state.position_text == state.position_text


@pytest.mark.parametrize(
    ("own_ms", "event", "tags"),
    [
        (None, Berserked(1, (300_000, 150_000)), {"BlackTimeControl": "150+0"}),
        (None, TimeGiven(1, (0,), 600_000), {"WhiteTimeControl": "900+2"}),
        (60_000, Started(), {"WhiteTimeControl": "60+2"}),
    ],
    ids=["berserk", "the host of a simul", "time odds"],
)
def test_a_seat_that_began_with_another_time_has_its_own_clock_in_every_record(
    own_ms: int | None, event: Event, tags: dict[str, str]
) -> None:
    seats = SeatPlan("open", initial_ms=own_ms), SeatPlan("open")
    created = Created("morris", "", seats, ClockSettings(300_000, 2_000))
    events = (created, event, Ended((1, 2), "resignation", "Black resigned."))
    record = record_of(MatchId("m"), [Recorded(seq, Entry(each, 0)) for seq, each in enumerate(events, 1)])
    assert (record.clock, record.tags) == (created.clock, tags)
    assert read(format_match(record)).record.tags == tags


CLOCK_LIKE = st.sampled_from(["[%clk 0:00:01] x", "x [%clk 1:2:3 ]", "[%c\u202elk 0:00:01]", "{[%clk 0:00:01]}"])
OTHER_LINES = {
    "Date": st.sampled_from([*DATES, "2020.02.03", "????.??.??", ""]),
    "UTCDate": st.sampled_from([DAY, "2020.02.03", "x"]),
    "UTCTime": st.sampled_from([*ODD_TIMES, "23:59:59", "1:2:3"]),
    "Site": st.sampled_from(["C:\\new\\\\games", "Riga  ", "https://x.example/match/abc"]),
    "Source": st.sampled_from(["Cy's  book", "https://x.example/match/def"]),
    "WhiteRating": st.sampled_from(["0999", "1500"]),
    "Event": st.sampled_from(["Rated blitz", "Imported match"]),
    "Termination": st.sampled_from(["time", " Normal  end"]),
}


def expect_same_import(reading: ReadMatch) -> None:
    """Check that every export of a stored import says the same, and is not stored again."""
    stored = msgspec.structs.replace(reading.record, id="k7m2p9qa4xzt", imported=True)
    for form in FORMS.values():
        try:
            written = form.text_of(stored, SITE)
        except RecordError:
            continue
        again = read(written)
        assert origin_of(again, "ann") == origin_of(reading, "ann")
        assert [(ply.clock_ms, ply.note) for ply in again.record.plies] == [
            (ply.clock_ms, ply.note) for ply in stored.plies
        ]
        assert again.changes == ()


@settings(SLOW, max_examples=10)
@given(records(), st.data())
def test_every_export_of_an_import_from_json_is_the_same_import(
    made: tuple[MatchRecord, State], data: st.DataObject
) -> None:
    """Also where JSON says more than the other forms: times to the millisecond, guests, and comments like clocks."""
    record, _ = made
    at_ms = data.draw(st.none() | st.integers(-(10**9), 10**12))
    plies = tuple(
        msgspec.structs.replace(ply, at_ms=at_ms, note=Note(data.draw(CLOCK_LIKE))) if index % 4 == 1 else ply
        for index, ply in enumerate(record.plies)
    )
    seats = tuple(msgspec.structs.replace(seat, kind="guest") for seat in record.seats)
    said = msgspec.structs.replace(record, plies=plies, seats=seats, ended_ms=at_ms)
    reading = read(msgspec.json.encode(said).decode())
    assert [ply.clock_ms for ply in reading.record.plies] == [ply.clock_ms for ply in record.plies]
    expect_same_import(reading)


@settings(deadline=None)
@given(st.fixed_dictionaries({}, optional=OTHER_LINES), st.randoms(use_true_random=False))
def test_every_export_of_an_import_from_text_is_the_same_import(tags: dict[str, str], chance: random.Random) -> None:
    lines = [f'[{name} "{value}"]\n' for name, value in tags.items()]
    chance.shuffle(lines)
    reading = read("".join(lines) + "\n1. d6 {[%clk 999999:59:59.999]} f4 1-0", "morris")
    written = format_match(reading.record, SITE)
    again = read(written).record
    assert msgspec.structs.replace(again, id=reading.record.id) == reading.record
    assert format_match(again, SITE) == written
    expect_same_import(reading)


@SLOW
@given(st.lists(records(), max_size=4))
def test_an_archive_round_trips(made: list[tuple[MatchRecord, State]]) -> None:
    kept = [record for record, _ in made]
    text = "".join(format_match(record, f"x/match/{record.id}") for record in kept)
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in kept).decode()
    for written in (text, lines, msgspec.json.encode(kept).decode()):
        assert [reading.record for reading in read_matches(written)] == kept


def test_a_clock_out_of_bounds_is_kept_as_text() -> None:
    text = f'[TimeControl "{"9" * 400}"]\n1. d6 {{[%clk {"9" * 50}:00:00]}} *'
    record = read(text, "morris").record
    assert (record.clock, record.plies[0].clock_ms) == (None, None)
    written = format_match(record)
    assert all(line in written for line in text.splitlines())


def test_a_voided_match_round_trips_and_is_imported_without_a_result() -> None:
    record = msgspec.structs.replace(RECORD, void=True)
    text = format_match(record)
    assert '[Void "1"]\n' in text
    reading = read(text)
    assert reading.record.void
    entries = entries_of(reading, 0)
    assert [type(entry.event) for entry in entries[-2:]] == [Ended, Voided]
    finish = finish_from(MatchId("m"), entries)
    assert finish is not None
    assert (finish.result, {(seat.rank, seat.result) for seat in finish.seats}) == ("none", {(None, "none")})


def test_names_are_cleaned_for_display() -> None:
    reading = read('[White "  A\u202e\u200b  evil "]\n[Black ""]\n1. d6', "morris")
    assert [seat.name for seat in reading.record.seats] == ["A evil", "?"]


def test_with_more_seats_the_result_is_the_rank_of_each() -> None:
    reading = read('[Game "battlesheep"]\n[Position "seats=3"]\n[Green "Cat"]\n\n2:1:3')
    assert reading.record.ranks == (2, 1, 3)
    assert [seat.name for seat in reading.record.seats] == ["?", "?", "Cat"]
    assert "2:1:3" in format_match(reading.record)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. d6 f4\n2. d6 *", "Line 2, move 2: d6 is not allowed here."),
        ("1. d6 f4\n2. z9 *", "Line 2, move 2: "),
        ("1. d6 {open", "Line 1: The comment that begins here is never closed."),
        ("1. d6\n( 1. f4", "Line 2: The variation that begins here is never closed."),
        ("1. d6 )", "Line 1: This ) closes nothing."),
        ("[White Anna]\n1. d6", 'Line 1: a tag is written [Name "value"]'),
        ('[Game "chess"]\n1. e4', "Line 1: There is no game 'chess'"),
        ('[Position "nonsense"]\n1. d6', "Line 1: "),
        ('{"format":"millrace-match","version":1}', "Line 1: This is not a match in JSON. The field game is missing."),
        ('[{"game":1}]', "This is not a match in JSON. The field [0].game must be a text, not a whole number."),
        ("1. d6 1:2:3", "The result 1:2:3 does not fit 2 seats."),
        (f"1. {'!' * 200_000}x", "Line 1, move 1: !!!"),
        (f'[Position "{"W" * 4_000}"]\n1. d6', "Line 1: the position has more than 2048 characters."),
        (f'[White "{"A" * 5_000}"]\n1. d6', "Line 1: a tag has at most 4,096 characters."),
    ],
)
def test_a_fault_is_reported_with_its_place(text: str, words: str) -> None:
    assert words in fault(text)


def test_a_text_that_names_no_game_is_refused_unless_one_is_given() -> None:
    assert "does not name its game" in fault("1. d6", "")


def test_a_result_against_the_rules_is_refused() -> None:
    text = '[Game "morris"]\n[SetUp "1"]\n[Position "WW.................BBB.. w 0 0"]\n'
    assert read(text + "*").record.ranks == read(text + "0-1").record.ranks == (2, 1)
    assert "Line 4: The result 1-0 contradicts the moves, which lead to 0-1." in fault(text + "1-0")

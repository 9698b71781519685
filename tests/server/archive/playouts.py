"""Random whole matches, from every start that a game offers, for tests of records."""

import random
from collections.abc import Sequence

from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from millrace.protocol import ClockSettings, MatchId
from millrace.server.archive.line_reader import tidy_comment
from millrace.server.archive.record import Kind, MatchRecord, Note, PlyRecord, SeatRecord
from millrace.server.archive.record_tags import UNKNOWN_DATE
from millrace.server.archive.record_text import tokens_of_line

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)
REMARKS = st.just("") | st.text(st.characters(codec="utf-8"), max_size=60)
CLOCKS: Sequence[ClockSettings | None] = (
    None,
    ClockSettings(300_000, 2_000),
    ClockSettings(180_500, 0),
    ClockSettings(60_000, 0, None, 5_000),
    ClockSettings(3 * 86_400_000, renews=True),
    ClockSettings(300_000, periods=3, period_ms=10_000),
    ClockSettings(0, periods=1, period_ms=10_000),
)
TAG_NAMES = ["Event", "Site", "Round", "Annotator", "ECO", "WhiteTeam", "WhiteTitle", "Time", "GN", "DT", "B", "Mode"]
TAG_VALUES = NAMES | st.text(st.sampled_from('\\"]:n'), min_size=1, max_size=6) | st.just("C:\\new\\games")
DAY = "1969.12.31"
DATES = {"1897.05.01": -2_293_228_800_000, DAY: -86_400_000, "2019": None, "2019.07.??": None, "Spring 1912": None}
"""Dates without a time, and when they begin."""
ODD_TIMES = ["10:00", "24:00:00", "23:59:60", "10:00:00.123", "00:00", "?"]
"""Times that do not say when a match began."""
LONGEST = 80
POSITIONS = {
    "morris": ("WW............WBB....W.B b 0 0 flying=off", "W.W.W............B.B..BW w 3 3 40"),
    "mingmang": ("wwwwwwww/w6b/w6b/w6b/w6b/w6b/w6b/bbbbbbbb w 1",),
    "battlesheep": (".,0,0/0,r16,0/0,0,b16 r 2", "opening=tiles seats=3", "seats=4"),
}


def setups_of(game: str) -> list[str]:
    """Return the set-ups from which the game's matches begin here."""
    offered = [start.setup.replace("{seed}", "7") for start in find_game(game).starts]
    return ["", *offered, *POSITIONS.get(game, ())]


def play_by_chance(game: str, setup: str, seed: int, plies: int) -> State:
    """Return the state after this many random plies, or the end if that comes first."""
    chance = random.Random(seed)
    state = State.of(find_game(game), setup)
    while state.outcome is None and state.ply < plies:
        state = state.play(chance.choice(state.legal_moves))
    return state


def _note(draw: st.DrawFn, before: State) -> Note | UnsetType:
    """What may be said about the ply that follows a state, now and then."""
    if draw(st.integers(0, 9)):
        return UNSET
    seats = before.start.seats
    lines = draw(st.lists(st.sampled_from(before.legal_moves), max_size=2))
    variations = [tokens_of_line([PlyRecord(before.format_move(move))], seats, before.ply) for move in lines]
    glyphs = tuple(draw(st.lists(st.integers(0, 255), max_size=3, unique=True)))
    note = Note(tidy_comment([draw(REMARKS)]), glyphs, tuple(map(" ".join, variations)))
    return UNSET if note == Note() else note


def _started(draw: st.DrawFn) -> tuple[int | None, dict[str, str]]:
    """When a match began, and the tags that say so."""
    if draw(st.booleans()):
        return draw(st.none() | st.integers(-62_135_596_800, 4_000_000_000).map(lambda seconds: 1000 * seconds)), {}
    date, time = draw(st.sampled_from(sorted(DATES))), draw(st.sampled_from(["", *ODD_TIMES]))
    times = {"UTCTime": time} if time else {}
    if draw(st.booleans()):
        return DATES[date], {"Date": date, **times}
    return DATES[DAY], {"Date": draw(st.sampled_from([UNKNOWN_DATE, "1970.01.01"])), "UTCDate": DAY, **times}


@st.composite
def records(draw: st.DrawFn) -> tuple[MatchRecord, State]:
    """A match in its usual form, and where it leads."""
    game = draw(st.sampled_from(sorted(GAMES)))
    setup = draw(st.sampled_from(setups_of(game)))
    state = play_by_chance(game, setup, draw(st.integers(0, 10_000)), draw(st.integers(1, LONGEST)))
    seats = state.start.seats
    clock = draw(st.sampled_from(CLOCKS))
    times = st.integers(0, 10**8) if clock is not None else st.none()
    plies = tuple(
        PlyRecord(move, draw(times), note=_note(draw, before))
        for before, move in zip(state.line, state.move_texts, strict=False)
    )
    kinds: st.SearchStrategy[Kind] = st.sampled_from(["person", "bot"])
    players = tuple(SeatRecord(draw(NAMES), draw(kinds), draw(st.none() | st.integers(1, 4000))) for _ in range(seats))
    ranks = state.outcome.ranks if state.outcome is not None else draw(st.none() | st.just((1,) + (2,) * (seats - 1)))
    reason = state.outcome.reason if state.outcome is not None else "resignation" if ranks else ""
    started_ms, tags = _started(draw)
    tags |= draw(st.dictionaries(st.sampled_from(TAG_NAMES), TAG_VALUES, max_size=4))
    if clock is None and draw(st.booleans()):
        tags["TimeControl"] = draw(st.sampled_from(["40/7200:3600", "G/30;d5", "?"]))
    return (
        MatchRecord(
            id=MatchId("k7m2p9qa4xzt"),
            game=game,
            setup=setup,
            seats=players,
            clock=clock,
            rated=draw(st.booleans()),
            started_ms=started_ms,
            ended_ms=1000 * draw(st.integers(-62_135_596_800, 4_000_000_000)) if ranks else None,
            ranks=ranks,
            termination=reason,
            explanation="Somebody has won" if ranks else "",
            plies=plies,
            comment=tidy_comment([draw(REMARKS)]) or UNSET,
            tags=tags or UNSET,
        ),
        state,
    )

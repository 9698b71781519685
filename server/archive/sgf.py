"""Matches in SGF, Kierulf's smart game format; among the games here, only Nine Men's Morris has a number there (5).

    (;GM[5]PW[Ann]PB[Ben]RE[W+];W[a7];B[b6];W[d7]C[good])

Each node with `W` or `B` is a move, in this project's text. The first child of a node continues the match; the others
are variations. A match may begin at a named start of the game, in `RU`, but at no other position. See red-bean.com/sgf.
Pure.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import UNSET

from millrace.engine.game import Game, UnknownGameError
from millrace.engine.games import find_game

from .line_reader import written_line_of
from .record import MatchRecord, RecordError
from .record_text import event_of
from .written_match import WrittenLine, WrittenPly

SIDES = ("W", "B")
"""By seat."""
TAGS = {
    **{"PW": "White", "PB": "Black", "WR": "WhiteElo", "BR": "BlackElo"},
    **{"DT": "Date", "EV": "Event", "PC": "Place", "RO": "Round", "RU": "Rules", "SO": "Site"},
}
"""The tags of the match's properties."""
GLYPHS = {("TE", "1"): 1, ("BM", "1"): 2, ("TE", "2"): 3, ("BM", "2"): 4, ("IT", ""): 5, ("DO", ""): 6}
"""The numbers of glyphs for properties with their values."""
OTHER_GLYPH = "NAG"
"""Our own property, for glyphs without one."""

NODES_ON_A_LINE = 10
_RESULTS = {(1, 2): "W+", (2, 1): "B+", (1, 1): "0"}
_PROPERTIES = {number: f"{name}[{value}]" for (name, value), number in GLYPHS.items()}


def format_sgf(record: MatchRecord, site: str = "") -> str:
    """Return a match in SGF, ending with an empty line; `site` is the match's URL.

    Raises: RecordError if SGF cannot express it.
    """
    game = _game_of(record)
    nodes = [f";{''.join(_root_of(record, game, site))}", *_nodes_of(written_line_of(record.plies), 0)]
    lines = ["".join(nodes[begin : begin + NODES_ON_A_LINE]) for begin in range(0, len(nodes), NODES_ON_A_LINE)]
    return "(" + "\n".join(lines) + ")\n\n"


def _game_of(record: MatchRecord) -> Game:
    """Return the game of a match that SGF can express. Raises: RecordError."""
    try:
        game = find_game(record.game)
    except UnknownGameError as error:
        raise RecordError(str(error)) from None
    if game.texts.sgf_number is None:
        raise RecordError(f"SGF has no number for {game.title}.")
    if record.setup and record.setup not in {start.setup for start in game.starts}:
        raise RecordError("In SGF a match begins at the start; this one begins at another position.")
    return game


def _root_of(record: MatchRecord, game: Game, site: str) -> Iterator[str]:
    """Yield the properties of the first node."""
    yield f"GM[{game.texts.sgf_number}]FF[4]CA[UTF-8]AP[Millrace]"
    for side, seat in zip(SIDES, record.seats, strict=True):
        yield f"P{side}[{_escaped(seat.name)}]"
        if seat.rating is not None:
            yield f"{side}R[{seat.rating}]"
    if record.started_ms is not None:
        yield f"DT[{datetime.fromtimestamp(record.started_ms / 1000, UTC):%Y-%m-%d}]"
    yield f"EV[{event_of(record)}]"
    if site:
        yield f"SO[{_escaped(site)}]"
    for start in game.starts:
        if start.setup == record.setup:
            yield f"RU[{_escaped(start.title)}]"
    result = "?" if record.ranks is None else _RESULTS[record.ranks[0], record.ranks[1]]
    yield f"RE[{'Void' if record.void else result}]"
    if record.comment is not UNSET:
        yield f"C[{_escaped(record.comment)}]"


def _nodes_of(line: WrittenLine, seat: int) -> Iterator[str]:
    """Yield the nodes of a line and its variations, with their parentheses.

    Where a ply has variations, it and the rest of its line are the first child.
    """
    if line.comments:
        yield f";C[{_escaped(' '.join(line.comments))}]"
    open_branches: list[tuple[WrittenPly, int]] = []
    for ply in line.plies:
        if ply.variations:
            open_branches.append((ply, seat))
            yield "("
        yield f";{''.join(_move_of(ply, seat))}"
        seat = 1 - seat
    for ply, seat_of_ply in reversed(open_branches):
        yield ")"
        for variation in ply.variations:
            yield from ("(", *_nodes_of(variation, seat_of_ply), ")")


def _move_of(ply: WrittenPly, seat: int) -> Iterator[str]:
    yield f"{SIDES[seat]}[{ply.word}]"
    for glyph in ply.glyphs:
        yield _PROPERTIES.get(glyph, f"{OTHER_GLYPH}[{glyph}]")
    if ply.comments:
        yield f"C[{_escaped(' '.join(ply.comments))}]"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")

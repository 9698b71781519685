"""Matches in SGF, Kierulf's smart game format; among the games here, only Nine Men's Morris has a number there (5).

    (;GM[5]PW[Ann]PB[Ben]RE[W+];W[a7];B[b6];W[d7]C[good])

Each node with `W` or `B` is a move, in this project's text. The first child of a node continues the match; the others
are variations. A match may begin at a named start of the game, in `RU`, but at no other position. Tags without a
property of SGF are in our own: `TAG[TimeControl:300+2]`. See red-bean.com/sgf. Pure.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import UNSET

from millrace.engine.game import Game, UnknownGameError
from millrace.engine.games import find_game

from .clock_texts import format_seconds
from .line_reader import written_plies_of
from .record import MatchRecord, RecordError
from .record_text import tags_of
from .written_match import WrittenLine, WrittenPly

SIDES = ("W", "B")
"""By seat."""
TAGS = {
    **{"PW": "White", "PB": "Black", "WR": "WhiteRating", "BR": "BlackRating", "WT": "WhiteTeam", "BT": "BlackTeam"},
    **{"EV": "Event", "PC": "Site", "RO": "Round", "SO": "Source"},
    **{"AN": "Annotator", "CP": "Copyright", "ON": "Opening"},
}
"""The tags of the match's properties with simple values."""
OTHER_TAG = "TAG"
"""Our own property, for tags without one: the tag's name, a colon, and its value."""
GLYPHS = {
    **{("TE", "1"): 1, ("BM", "1"): 2, ("TE", "2"): 3, ("BM", "2"): 4, ("IT", ""): 5, ("DO", ""): 6},
    **{("DM", "1"): 10, ("UC", "1"): 13, ("GW", "1"): 16, ("GB", "1"): 17, ("GW", "2"): 18, ("GB", "2"): 19},
}
"""The numbers of glyphs for properties with their values."""
REASONS = {"R": "resignation", "T": "time"}
"""Terminations by the letters after a result."""
OTHER_GLYPH = "NAG"
"""Our own property, for glyphs without one."""
SETTING_UP = {"AB", "AW", "AE", "PL"}
USED = {
    *("GM", "FF", "CA", "AP", "ST", "DT", "RE", "RU", "HA", "C", "WL", "BL", OTHER_TAG, OTHER_GLYPH),
    *(*SIDES, *TAGS, *SETTING_UP, *(name for name, _ in GLYPHS)),
}
"""The properties that have a meaning here; others of a match are kept as tags of the same name."""

NODES_ON_A_LINE = 10
_RESULTS = {(1, 2): "W+", (2, 1): "B+", (1, 1): "0"}
_IMPLIED_TAGS = {"Result", "Game", "SetUp", "FEN", "Position", "Void", "PlyCount"}
_UNKNOWN_VALUES = {"?", "-", "????.??.??"}
_PROPERTY_OF_TAG = {tag: name for name, tag in TAGS.items()}
_PROPERTY_NAME = re.compile("[A-Z]{1,2}")
_DATE = re.compile(r"(\d{4})\.(?:(\d\d)\.(?:(\d\d)|\?\?)|\?\?\.\?\?)", re.ASCII)
_LETTERS = {reason: letter for letter, reason in REASONS.items()}
_PROPERTIES = {number: f"{name}[{value}]" for (name, value), number in GLYPHS.items()}


def write_sgf(record: MatchRecord, site: str = "") -> Iterator[str]:
    """Yield a match in SGF in pieces, ending with an empty line; `site` is the match's URL.

    Raises: RecordError if SGF cannot express it.
    """
    game = _game_of(record)
    yield f"(;{''.join(_root_of(record, game, site))}"
    for number, node in enumerate(_nodes_of(written_plies_of(record.plies), 0), 1):
        yield f"\n{node}" if number % NODES_ON_A_LINE == 0 else node
    yield ")\n\n"


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
    for start in game.starts:
        if start.setup == record.setup:
            yield f"RU[{_escaped(start.title)}]"
    other = {} if record.tags is UNSET else record.tags
    link = next((name for name in ("SO", "PC") if TAGS[name] not in other), None)
    if site and link is not None:
        yield f"{link}[{_escaped(site)}]"
    result = "?" if record.ranks is None else _RESULTS[record.ranks[0], record.ranks[1]]
    letter = _LETTERS.get(record.termination, "") if result.endswith("+") else ""
    implied = _IMPLIED_TAGS | ({"Termination"} if letter else set())
    if record.void:
        implied.remove("Result")
    if "RE" not in other:
        yield "RE[Void]" if record.void else f"RE[{result}{letter}]"
    for name, value in tags_of(record):
        if name in other or (name not in implied and value not in _UNKNOWN_VALUES):
            yield _property_of(name, value, is_date_written="DT" in other)
    if record.comment is not UNSET:
        yield f"C[{_escaped(record.comment)}]"


def _property_of(tag: str, value: str, *, is_date_written: bool) -> str:
    """Return the property of a tag; another one may give the date."""
    date = _DATE.fullmatch(value) if tag == "Date" and not is_date_written else None
    if date is not None:
        return f"DT[{'-'.join(filter(None, date.groups()))}]"
    if tag in _PROPERTY_OF_TAG:
        return f"{_PROPERTY_OF_TAG[tag]}[{_escaped(value)}]"
    is_property = _PROPERTY_NAME.fullmatch(tag) is not None and (tag not in USED or tag in ("DT", "RE"))
    return f"{tag}[{_escaped(value)}]" if is_property else f"{OTHER_TAG}[{tag}:{_escaped(value)}]"


def _nodes_of_variation(line: WrittenLine, seat: int) -> Iterator[str]:
    yield "("
    if line.comments:
        yield f";C[{_escaped(' '.join(line.comments))}]"
    yield from _nodes_of(line.plies, seat)
    yield ")"


def _nodes_of(plies: Iterable[WrittenPly], seat: int) -> Iterator[str]:
    """Yield the nodes of a line and its variations, with their parentheses.

    Where a ply has variations, it and the rest of its line are the first child.
    """
    open_branches: list[tuple[WrittenPly, int]] = []
    for ply in plies:
        if ply.variations:
            open_branches.append((ply, seat))
            yield "("
        yield f";{''.join(_move_of(ply, seat))}"
        seat = 1 - seat
    for ply, seat_of_ply in reversed(open_branches):
        yield ")"
        for variation in ply.variations:
            yield from _nodes_of_variation(variation, seat_of_ply)


def _move_of(ply: WrittenPly, seat: int) -> Iterator[str]:
    yield f"{SIDES[seat]}[{ply.word}]"
    if ply.clock_ms is not None:
        yield f"{SIDES[seat]}L[{format_seconds(ply.clock_ms)}]"
    for glyph in ply.glyphs:
        yield _PROPERTIES.get(glyph, f"{OTHER_GLYPH}[{glyph}]")
    if ply.comments:
        yield f"C[{_escaped(' '.join(ply.comments))}]"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")

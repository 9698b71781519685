"""Packed matches: the rows of a match in a few bytes, from which exactly the same rows come again.

Pure, and without the rules of the games: a packed match can be read for ever, whatever becomes of its game. Moves are
coded as text, each character by how often it followed those before it (`entropy_coding`). That takes about 0.7 bytes a
ply more than the numbers of legal moves would, of which a change of the rules could make other moves.

- `rest` has the bodies of all events but the plies, as lines: compressed by zlib, with a dictionary.
- `plies` says for each event, in order, when it was stored, and whether it is the next line of the rest or a ply.

Format 1 includes the files `packed_events_1.txt` and `packed_moves_1.txt`, which must never change: what is packed
could not be read any more. Another way to pack is another format.
"""

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from millrace.protocol import CommandId

from .entries import NO_SEAT
from .entropy_coding import ChoiceReader, ChoiceWriter, Coder, Context, Counts, Model

FORMAT = 1
"""Of what `pack` returns."""

COMPRESSION = 9
RAW_DEFLATE = -15
"""The window of zlib, without a header and a checksum."""

MOST_SEATS = 4

ENDINGS = (
    *('"forced":false,"planned":false', '"forced":true,"planned":false', '"forced":false,"planned":true'),
    *('"forced":true,"planned":true', '"forced":false', '"forced":true'),
)
"""How the body of a ply ends; earlier releases stored the last ones."""

_NUMBER = r"(?:0|-?[1-9]\d{0,14})"
_PLY = re.compile(
    rf'\{{"type":"moved","seat":([0-3]),"move":"([ !#-\[\]-~]*)","clocks_ms":(null|\[{_NUMBER}(?:,{_NUMBER})*\]),'
    rf"({'|'.join(ENDINGS)})\}}",
    re.ASCII,
)
_COMMAND_ID = re.compile(r"([!-~]*?)(0|[1-9]\d{0,14})?", re.ASCII)
_GAME = re.compile(r'\{"type":"created","game":"([!-~]+?)"', re.ASCII)

_END = ord("\n")
"""Ends the text of a move."""

_HEXADECIMAL = "0123456789abcdef"
_URL_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_PRINTABLE = "".join(map(chr, range(33, 127)))
_ALPHABETS = (_HEXADECIMAL, _URL_SAFE, _PRINTABLE)
LONGEST_ID = 64

_AS_LINE, _SHAPES = 0, 1 + MOST_SEATS * 4 * 4 * len(ENDINGS)
"""Of an event: the next line of the rest, or a ply of one of the shapes from 1."""

_THINKING = (1, 2, 3, 6, 10, 14, 18, 14, 8, 3, 1)
"""How usual it is to think for 32 to 63 ms, for 64 to 127 ms, and so on."""

_NO_COMMAND, _NEXT_ID, _OTHER_ID, _SEAT_ALONE = range(4)
_NO_CLOCKS, _OWN_CLOCK, _SAME_CLOCKS, _ALL_CLOCKS = range(4)


class EventRow(NamedTuple):
    """A row of `events` without the column `match`."""

    seq: int
    at_ms: int
    seat: int
    command_id: CommandId | None
    body: str


class Packed(NamedTuple):
    """The events of a match from the first one on."""

    format: int
    last_seq: int
    rest: bytes
    plies: bytes


class _Ply(NamedTuple):
    """An event that is coded as a ply."""

    seat: int = 0
    move: str = ""
    clocks: tuple[int, ...] | None = None
    ending: int = 0
    entry_seat: int = NO_SEAT
    command_id: str | None = None

    @property
    def body(self) -> str:
        clocks = "null" if self.clocks is None else f"[{','.join(map(str, self.clocks))}]"
        return f'{{"type":"moved","seat":{self.seat},"move":"{self.move}","clocks_ms":{clocks},{ENDINGS[self.ending]}}}'


def pack(rows: Sequence[EventRow]) -> Packed:
    """Return the rows of a match, from its first event on, packed. Raises: ValueError if that is not possible."""
    game = _GAME.match(rows[0].body) if rows else None
    if game is None or [row.seq for row in rows] != [*range(1, len(rows) + 1)]:
        raise ValueError("these are not the events of a match from the first one on")
    writer = ChoiceWriter()
    plies = _PlyCoder(writer, game[1])
    lines = []
    for row in rows:
        ply = _ply_of(row)
        plies.code(row.at_ms, ply)
        if ply is None:
            lines.append(_line_of(row))
    packed = Packed(FORMAT, len(rows), _compressed(lines), writer.content())
    if unpack(packed) != [*rows]:
        raise ValueError("the packed events differ")
    return packed


def unpack(packed: Packed) -> list[EventRow]:
    """Return the rows that were packed. Raises: ValueError if they are damaged, or in a later format."""
    if packed.format != FORMAT:
        raise ValueError(f"it has the format {packed.format} of a newer version")
    lines = iter(rest_rows(packed.rest))
    first = next(lines)
    game = _GAME.match(first.body)
    if game is None:
        raise ValueError("the first event is missing")
    plies = _PlyCoder(ChoiceReader(packed.plies), game[1])
    rows = []
    for seq in range(1, packed.last_seq + 1):
        at_ms, ply = plies.code(0, None)
        if ply is not None:
            command_id = None if ply.command_id is None else CommandId(ply.command_id)
            rows.append(EventRow(seq, at_ms, ply.entry_seat, command_id, ply.body))
        else:
            line = first if seq == 1 else next(lines, None)
            if line is None:
                raise ValueError("a line of the rest is missing")
            rows.append(line._replace(seq=seq, at_ms=at_ms))
    return rows


def rest_rows(rest: bytes) -> list[EventRow]:
    """Return the rows of all events but the plies, in order, without their numbers and times. Raises: ValueError."""
    inflate = zlib.decompressobj(RAW_DEFLATE, zdict=_event_samples())
    try:
        text = (inflate.decompress(rest) + inflate.flush()).decode()
    except zlib.error as error:
        raise ValueError(f"the rest is damaged: {error}") from None
    return [_row_of(line) for line in text.split("\n")]


def with_bodies(rest: bytes, bodies: Sequence[str]) -> bytes:
    """Return the rest with other bodies of the same events, in their order. Raises: ValueError."""
    rows = zip(rest_rows(rest), bodies, strict=True)
    return _compressed([_line_of(row._replace(body=body)) for row, body in rows])


def _compressed(lines: Sequence[str]) -> bytes:
    deflate = zlib.compressobj(COMPRESSION, wbits=RAW_DEFLATE, zdict=_event_samples())
    return deflate.compress("\n".join(lines).encode()) + deflate.flush()


def _line_of(row: EventRow) -> str:
    """Return a row as a line, without its number and time: the body, behind seat and command if there are any."""
    is_plain = row.seat == NO_SEAT and row.command_id is None
    return row.body if is_plain else f"{row.seat} {row.command_id or ''} {row.body}"


def _row_of(line: str) -> EventRow:
    if line.startswith("{"):
        return EventRow(0, 0, NO_SEAT, None, line)
    seat, command_id, body = line.split(" ", 2)
    return EventRow(0, 0, int(seat), CommandId(command_id) if command_id else None, body)


def _ply_of(row: EventRow) -> _Ply | None:
    """Return a row as a ply, or None if it must be a line."""
    found = _PLY.fullmatch(row.body)
    if found is None:
        return None
    seat, move, clocks, ending = found.groups()
    if row.seat not in (NO_SEAT, int(seat)) or (row.seat == NO_SEAT and row.command_id is not None):
        return None
    clocks_ms = None if clocks == "null" else tuple(map(int, clocks[1:-1].split(",")))
    if clocks_ms is not None and len(clocks_ms) > MOST_SEATS:
        return None
    return _Ply(int(seat), move, clocks_ms, ENDINGS.index(ending), row.seat, row.command_id)


class _PlyCoder:
    """Codes the events of a match one after another, each by those before it.

    Everything is written and read by the same functions; a reader gives them nothing, and returns what it finds.
    """

    def __init__(self, coder: Coder, game: str) -> None:
        self._coder = coder
        self._model = Model(_known_counts(game))
        self._at_ms = self._ply_at_ms = 0
        self._shape = _AS_LINE
        self._clocks: tuple[int, ...] = ()
        self._gains = dict[int, int]()
        """What each seat's clock last gained in spite of the time that passed: its increment and compensated lag."""
        self._gain = 0
        self._ids = dict[int, tuple[str, int]]()
        """The beginning of the ids of each seat's commands, and the number behind it."""

    def code(self, at_ms: int, ply: _Ply | None) -> tuple[int, _Ply | None]:
        """Return the next event's time, and the event if it is a ply. Raises: ValueError."""
        shape = _AS_LINE if ply is None else self._shape_of(ply)
        shape = self._shape = self._model.code(self._coder, (("shape", self._shape), ("shape",)), shape, _SHAPES)
        seat = (shape - 1) % MOST_SEATS if shape else NO_SEAT
        after_ms = self._model.integer(self._coder, (("after", seat), ("after",)), at_ms - self._at_ms)
        at_ms = self._at_ms = self._at_ms + after_ms
        if not shape:
            return at_ms, None
        kind = (shape - 1) // MOST_SEATS
        ids, kind = kind % 4, kind // 4
        clocks, ending = kind % 4, kind // 4
        given = ply or _Ply()
        coded = _Ply(
            seat,
            self._move(given.move),
            self._code_clocks(clocks, seat, given.clocks or ()),
            ending,
            NO_SEAT if ids == _NO_COMMAND else seat,
            self._command_id(ids, seat, given.command_id or ""),
        )
        self._ply_at_ms = at_ms
        return at_ms, coded

    def _shape_of(self, ply: _Ply) -> int:
        if ply.clocks is None:
            clocks = _NO_CLOCKS
        elif ply.clocks == self._clocks:
            clocks = _SAME_CLOCKS
        else:
            others = [index for index, left in enumerate(self._clocks) if index != ply.seat]
            is_own = len(ply.clocks) == len(self._clocks) > ply.seat
            is_own = is_own and all(ply.clocks[index] == self._clocks[index] for index in others)
            clocks = _OWN_CLOCK if is_own else _ALL_CLOCKS
        if ply.command_id is None:
            ids = _NO_COMMAND if ply.entry_seat == NO_SEAT else _SEAT_ALONE
        else:
            begins, number = _split_id(ply.command_id)
            is_next = number >= 0 and ply.seat in self._ids and begins == self._ids[ply.seat][0]
            ids = _NEXT_ID if is_next else _OTHER_ID
        return _shape(ply.seat, ids, clocks, ply.ending)

    def _move(self, move: str) -> str:
        coded = ""
        while True:
            wanted = ord(move[len(coded)]) if len(coded) < len(move) else _END
            character = self._model.code(self._coder, _move_contexts(coded), wanted, 128)
            if character == _END:
                return coded
            coded += chr(character)

    def _code_clocks(self, kind: int, seat: int, clocks: tuple[int, ...]) -> tuple[int, ...] | None:
        if kind == _NO_CLOCKS:
            return None
        if kind == _SAME_CLOCKS:
            return self._clocks
        if kind == _OWN_CLOCK:
            expected = self._clocks[seat] - (self._at_ms - self._ply_at_ms)
            usual = self._gains.get(seat, self._gain)
            gain = clocks[seat] - expected - usual if clocks else 0
            gain = usual + self._model.integer(self._coder, (("gain", seat), ("gain",)), gain)
            self._gains[seat] = self._gain = gain
            self._clocks = (*self._clocks[:seat], expected + gain, *self._clocks[seat + 1 :])
            return self._clocks
        count = 1 + self._coder.number(len(clocks) - 1 if clocks else 0, MOST_SEATS)
        coded: list[int] = []
        for index in range(count):
            known = self._clocks[index] if index < len(self._clocks) else coded[-1] if coded else 0
            change = clocks[index] - known if clocks else 0
            coded.append(known + self._model.integer(self._coder, (("clock",),), change))
        self._clocks = tuple(coded)
        return self._clocks

    def _command_id(self, kind: int, seat: int, command_id: str) -> str | None:
        if kind in (_NO_COMMAND, _SEAT_ALONE):
            return None
        begins, number = _split_id(command_id)
        known, last = self._ids.get(seat, ("", 0))
        if kind == _NEXT_ID:
            begins = known
        else:
            begins, last = self._text(begins), -1
        number = last + self._model.integer(self._coder, (("id", kind),), number - last)
        self._ids[seat] = begins, number
        return begins if number < 0 else f"{begins}{number}"

    def _text(self, text: str) -> str:
        """Return a text of printable characters that resembles nothing."""
        kind = next(index for index, alphabet in enumerate(_ALPHABETS) if set(text) <= set(alphabet))
        alphabet = _ALPHABETS[self._coder.number(kind, len(_ALPHABETS))]
        length = self._coder.number(len(text), LONGEST_ID + 1)
        # The reader ignores the characters, which may have been of another alphabet.
        wanted = [alphabet.index(character) for character in text] or [0] * length
        return "".join(alphabet[self._coder.number(each, len(alphabet))] for each in wanted)


def _shape(seat: int, ids: int, clocks: int, ending: int) -> int:
    return 1 + seat + MOST_SEATS * (ids + 4 * (clocks + 4 * ending))


def _split_id(command_id: str) -> tuple[str, int]:
    """Return an id as what it begins with and the number at its end, or -1 if there is none.

    >>> _split_id("q3Xk-12"), _split_id("a007"), _split_id("x")
    (('q3Xk-', 12), ('a00', 7), ('x', -1))
    """
    found = _COMMAND_ID.fullmatch(command_id)
    if found is None:
        raise ValueError(f"{command_id!r} is not the id of a command")
    begins, number = found.groups()
    return begins, -1 if number is None else int(number)


def _move_contexts(before: str) -> Sequence[Context]:
    """Return the contexts of a character of a move, by those before it."""
    return ((len(before), before[-4:]), (2, before[-2:]), (1, before[-1:]), 0)


@cache
def _event_samples() -> bytes:
    """The dictionary of the rest."""
    return _file("events").encode()


@cache
def _known_counts(game: str) -> Counts:
    """Return how often values follow in usual matches of a game."""
    samples = dict(line.split(" ", 1) for line in _file("moves").splitlines())
    model = Model({})
    coder = ChoiceWriter()
    for move in samples.get(game, "").split():
        for index, character in enumerate([*map(ord, move), _END]):
            model.code(coder, _move_contexts(move[:index]), character, 128)
    return {**model.counts, **_usual_counts()}


def _usual_counts() -> Counts:
    """Return how often shapes and sizes are usual in any game, which spares each match from learning it."""
    people, bots = ([_shape(seat, ids, _OWN_CLOCK, 0) for seat in range(2)] for ids in (_NEXT_ID, _NO_COMMAND))
    first = [_shape(0, ids, _ALL_CLOCKS, 0) for ids in (_OTHER_ID, _NO_COMMAND)]
    second = [_shape(1, ids, _SAME_CLOCKS, 0) for ids in (_OTHER_ID, _NO_COMMAND)]
    followers: Mapping[int, Mapping[int, int]] = {
        _AS_LINE: {_AS_LINE: 16, **dict.fromkeys(first, 2)},
        **{shape: dict.fromkeys(second, 8) for shape in first},
        **{shape: {people[0]: 8, bots[0]: 2, _shape(0, _OTHER_ID, _OWN_CLOCK, 0): 1} for shape in second},
        people[0]: {people[1]: 24, bots[1]: 24, _AS_LINE: 1},
        people[1]: {people[0]: 24, bots[0]: 8, _AS_LINE: 1},
        bots[0]: {people[1]: 24, bots[1]: 4, _AS_LINE: 1},
        bots[1]: {people[0]: 24, bots[0]: 4, _AS_LINE: 1},
    }
    counts: dict[Context, Mapping[int, int]] = {("shape", before): after for before, after in followers.items()}
    for seat in range(MOST_SEATS):
        counts["after", seat] = {2 * bits: weight for bits, weight in enumerate(_THINKING, 6)}
        counts["gain", seat] = {0: 16, **{2 * bits + sign: 32 >> bits for bits in range(1, 6) for sign in (0, 1)}}
    return {
        **counts,
        ("after", NO_SEAT): {0: 24, 20: 4, 24: 4},
        ("id", _NEXT_ID): {2: 24, 4: 4, 6: 2},
        ("clock",): {0: 4},
    }


def _file(name: str) -> str:
    return Path(__file__).with_name(f"packed_{name}_{FORMAT}.txt").read_text(encoding="utf-8")

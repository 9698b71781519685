"""Every message that crosses the socket, both ways, and every event that the journal stores.

No behaviour: what a command leads to is decided in `server.referee`. Pure; imported by the whole server and by clients.
Each frame is one JSON object whose `type` names its class in snake case; unknown fields and types are refused.
`docs/protocol.md` shows an example of each.

Times ending in `_ms` are milliseconds: `at_ms` and `now_ms` since 1970 by the server's clock, `clocks_ms` what each
seat has left. Seats count from 0. A *match* is named by its id, and its events are numbered `seq` from 1 without gaps.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, NewType, TypeAlias

import msgspec

VERSION = 1
"""Of this protocol; a client names it in `Hello` and is refused if it speaks another."""

SOCKET_PATH = "/socket"
MAX_FRAME_BYTES = 8192
"""Of a frame from a client; a longer one closes the connection."""

MatchId = NewType("MatchId", str)
IdentityId = NewType("IdentityId", str)
CommandId = NewType("CommandId", str)

_CommandIdField = Annotated[CommandId, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[!-~]*$")]
_MatchIdField = Annotated[MatchId, msgspec.Meta(min_length=1, max_length=32, pattern=r"^[!-~]*$")]
_Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
_Level = Annotated[int, msgspec.Meta(ge=1, le=8)]
_GameName = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
_SetupText = Annotated[str, msgspec.Meta(max_length=2048)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
_MoveText = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]

StandIn: TypeAlias = Literal["bot", "skip"]
"""How a match goes on without the player of a seat: a bot plays for it, or it passes."""

MoveTree: TypeAlias = Mapping[str, object]
"""Legal moves as a prefix tree of clicks: a key is a cell's name or a choice, null means that the move is complete."""


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_snake):
    """A frame, or a tagged part of one."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a message that needs no tag."""


class Code(StrEnum):
    """Why a command was refused or a connection closed: the closed list."""

    MALFORMED = "malformed"
    """The frame is not JSON, not a message of this protocol, or has a field of a wrong type or size."""
    UNSUPPORTED_VERSION = "unsupported_version"
    HELLO_FIRST = "hello_first"
    """A connection begins with exactly one `Hello`."""
    BAD_TOKEN = "bad_token"
    UNKNOWN_GAME = "unknown_game"
    BAD_SETUP = "bad_setup"
    BAD_SEATS = "bad_seats"
    """The seats asked for do not fit the game, or leave the creator without a seat that others wait for."""
    UNKNOWN_MATCH = "unknown_match"
    NOT_YOUR_SEAT = "not_your_seat"
    SEAT_TAKEN = "seat_taken"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    """What was asked for is possible only before play has got under way."""
    NOT_YOUR_TURN = "not_your_turn"
    MATCH_OVER = "match_over"
    NOT_OVER = "not_over"
    BAD_MOVE = "bad_move"
    """The move's text does not parse."""
    ILLEGAL_MOVE = "illegal_move"
    REPETITION_REFUSED = "repetition_refused"
    """Nothing else forbids the move, but it would bring back an earlier position."""
    SEAT_LEFT = "seat_left"
    """The player of that seat has left the match and plays in it no more."""
    NOTHING_TO_CHOOSE = "nothing_to_choose"
    """Nobody has left that seat, or it is settled already who plays on for it."""
    TOO_MANY = "too_many"
    """A limit on matches or subscriptions is reached."""
    TOO_FAST = "too_fast"
    """More messages than the connection's credits allow; it is closed."""
    UNAVAILABLE = "unavailable"
    """The server could not store the command; nothing has happened, send it again."""


class Termination(StrEnum):
    """How a match ends, besides the endings that each game's rules name."""

    REPETITION = "repetition"
    QUIET_LIMIT = "quiet_limit"
    RESIGNATION = "resignation"
    TIME = "time"
    ABORTED = "aborted"


# Parts


class ClockSettings(Part, frozen=True):
    """A seat's time: what it starts with, and what each of its plies adds; and the time of the whole match."""

    initial_ms: Annotated[int, msgspec.Meta(ge=1_000, le=86_400_000)]
    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)] = 0
    match_limit_ms: Annotated[int, msgspec.Meta(ge=1_000, le=86_400_000)] | None = None
    """So long after its start the match is ended and judged as it stands, in games whose rules say how; None: never."""


class SeatPlan(Part, frozen=True):
    """Who is to have a seat of a new match: its creator, whoever comes, or a bot of a level."""

    occupant: Literal["me", "open", "bot"]
    level: _Level | None = None
    """Of a bot; only with `bot`, and then needed."""


class Player(Part, frozen=True):
    """Who holds a seat, as everyone may see it."""

    id: IdentityId
    name: str
    level: int | None = None
    """A bot's level; None for a person."""


class Cell(Part, frozen=True, array_like=True):
    """A place on the board: its name, and where its centre is, in distances between neighbours, y downwards."""

    name: str
    x: float
    y: float


class Board(Part, frozen=True):
    """What a client draws once for a match."""

    shape: Literal["points", "squares", "hexes"]
    cells: tuple[Cell, ...]
    lines: tuple[tuple[int, int], ...]
    """Pairs of indices into `cells` that a drawn line joins."""


class Change(Part, frozen=True, array_like=True):
    """What lies on a cell now: `size` pieces of a seat, or nothing, which is seat -1 and size 0."""

    cell: str
    seat: int
    size: int


class View(Part, frozen=True):
    """How an event alters what a client draws."""

    changes: tuple[Change, ...]
    reserves: tuple[int, ...]
    """For each seat the pieces still off the board that it has to place, after the event."""
    territory: tuple[int, ...] | None = None
    """With `Ended`, if territory was counted: for each cell by index the seat that holds it, or -1."""
    board: Board | None = None
    """The board to draw from this event on, when it is another than before: nothing lies on it but the changes."""
    ground: tuple[int, ...] | None = None
    """While the board is still being laid: the indices of the cells that are part of it. None: all cells are."""
    position: str | None = None
    """What lies on the board, as text that `Create` takes."""


class StartInfo(Part, frozen=True):
    """A start besides the standard one that a game offers by name."""

    title: str
    setup: str
    """For `Create`; `{seed}` in it stands for a number of at most nine digits that the client draws."""
    seats: int


class GameInfo(Part, frozen=True):
    """A game that this server offers."""

    name: str
    title: str
    seats: tuple[int, ...]
    seat_names: tuple[str, ...]
    levels: int
    """Bots' levels are 1 to this."""
    starts: tuple[StartInfo, ...] = ()


class MatchSummary(Part, frozen=True):
    """A line of the list of live matches."""

    match: MatchId
    game: str
    players: tuple[str, ...]
    plies: int
    spectators: int
    clock: ClockSettings | None


# Commands: from a client


class Hello(Message, frozen=True):
    """The first frame of a connection. Without a token the server makes a guest and tells the token once."""

    version: int
    token: Annotated[str, msgspec.Meta(max_length=128)] = ""
    client: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The program's name, for the server's log."""


class Create(Message, frozen=True):
    """Make a match. Sent again with the same id it leads to the same match."""

    id: _CommandIdField
    game: _GameName
    seats: Annotated[tuple[SeatPlan, ...], msgspec.Meta(min_length=1, max_length=4)]
    setup: _SetupText = ""
    clock: ClockSettings | None = None
    """None is an untimed match."""
    shuffle: bool = False
    """Deal the planned occupants out to the seats at random."""


class Join(Message, frozen=True):
    """Take an open seat, by default the first."""

    id: _CommandIdField
    match: _MatchIdField
    seat: _Seat | None = None


class FillSeat(Message, frozen=True):
    """Put a bot into an open seat; for those who hold a seat."""

    id: _CommandIdField
    match: _MatchIdField
    seat: _Seat
    level: _Level


class Play(Message, frozen=True):
    """Make a ply."""

    id: _CommandIdField
    match: _MatchIdField
    seat: _Seat
    move: _MoveText
    """The move's text, or its clicks divided by single spaces."""


class Resign(Message, frozen=True):
    """Give the match up; with three or four seats it goes on without this player."""

    id: _CommandIdField
    match: _MatchIdField
    seat: _Seat


class ChooseStandIn(Message, frozen=True):
    """Vote on a seat whose player has left: a bot is to play on for it, or it is to be skipped."""

    id: _CommandIdField
    match: _MatchIdField
    seat: _Seat
    """One's own."""
    for_seat: _Seat
    choice: StandIn


class Abort(Message, frozen=True):
    """Call the match off without a result; possible until every seat has made a ply."""

    id: _CommandIdField
    match: _MatchIdField
    seat: _Seat


class Rematch(Message, frozen=True):
    """Offer another match with the seats moved on by one, or accept that offer by making it too."""

    id: _CommandIdField
    match: _MatchIdField
    seat: _Seat


class Watch(Message, frozen=True):
    """Follow a match, one's own or another's: answered by `Watching`, then by every event after `since`."""

    match: _MatchIdField
    since: _Count = 0


class Unwatch(Message, frozen=True):
    """Follow a match no longer."""

    match: _MatchIdField


class WatchLobby(Message, frozen=True):
    """Follow the list of live matches, or no longer."""

    on: bool = True


class Preview(Message, frozen=True):
    """Ask what a match from a set-up text would begin with, without making it; answered by `Previewed`."""

    id: _CommandIdField
    game: _GameName
    setup: _SetupText = ""


class Ping(Message, frozen=True):
    """Ask for a `Pong`."""

    nonce: _Count = 0


MatchCommand: TypeAlias = Join | FillSeat | Play | Resign | ChooseStandIn | Abort | Rematch
ClientMessage: TypeAlias = Hello | Create | MatchCommand | Watch | Unwatch | WatchLobby | Preview | Ping


# Events: facts about a match, stored as they stand


class Created(Message, frozen=True):
    """Always seq 1."""

    game: str
    setup: str
    seats: tuple[SeatPlan, ...]
    """As dealt: `me` is the creator's seat."""
    clock: ClockSettings | None
    rematch_of: MatchId | None = None


class Seated(Message, frozen=True):
    """A seat has got its player."""

    seat: int
    player: Player


class Started(Message, frozen=True):
    """Every seat has its player, and the first clock runs."""


class Moved(Message, frozen=True):
    """A seat has made a ply."""

    seat: int
    move: str
    clocks_ms: tuple[int, ...] | None
    """What each seat has left after the ply, increment included; None in an untimed match."""
    forced: bool = False
    """Whether the server made it: a pass for a seat that has no other ply, or that is skipped."""


class Left(Message, frozen=True):
    """A player has left a match of three or four seats, which goes on; the seat's clock stands from now on."""

    seat: int
    reason: Literal["resignation", "time"]


class StandInChosen(Message, frozen=True):
    """A player has voted on how a seat that was left goes on."""

    seat: int
    for_seat: int
    choice: StandIn


class StoodIn(Message, frozen=True):
    """It is settled how a seat that was left goes on."""

    seat: int
    choice: StandIn
    level: int | None
    """The bot's level; None where the seat is skipped."""


class Ended(Message, frozen=True):
    """The match is over."""

    ranks: tuple[int, ...] | None
    """For each seat, 1 best, equal ranks share; None for a match without result."""
    reason: str
    """A `Termination` or a code of the game's own endings."""
    words: str
    """The same for people."""
    seat: int | None = None
    """Who resigned, aborted or ran out of time."""
    clocks_ms: tuple[int, ...] | None = None


class Resumed(Message, frozen=True):
    """The server was away; clocks stood still, and run again when the grace is over."""

    clocks_ms: tuple[int, ...]
    grace_ms: int
    limit_ms: int | None = None
    """What is left of the match's time limit, if it has one."""


class RematchOffered(Message, frozen=True):
    """A seat would like another match."""

    seat: int


class RematchStarted(Message, frozen=True):
    """Every person has offered: the next match."""

    match: MatchId


Event: TypeAlias = (
    Created
    | Seated
    | Started
    | Moved
    | Left
    | StandInChosen
    | StoodIn
    | Ended
    | Resumed
    | RematchOffered
    | RematchStarted
)


# From the server


class Welcome(Message, frozen=True):
    """Answers `Hello`."""

    version: int
    player: Player
    """Who you are to others."""
    token: str
    """Your secret: say it in the next `Hello` to be the same player and to hold the same seats."""
    games: tuple[GameInfo, ...]
    now_ms: int


class Accepted(Message, frozen=True):
    """A command has had its effect, which is stored: event `seq` of the match. A repeated command is answered alike."""

    id: CommandId
    match: MatchId
    seq: int


class Refused(Message, frozen=True):
    """A frame had no effect."""

    code: Code
    message: str
    """For people."""
    id: CommandId | None = None
    match: MatchId | None = None


class Watching(Message, frozen=True):
    """Answers `Watch`: what to draw, and where the match stands. The events follow."""

    match: MatchId
    seq: int
    """Of the latest event."""
    board: Board
    """As it is after event `since`; the events that follow say if it becomes another."""
    your_seats: tuple[int, ...]
    now_ms: int


class Happened(Message, frozen=True):
    """An event of a match that you watch."""

    match: MatchId
    seq: int
    at_ms: int
    event: Event
    to_move: int | None
    """The seat to move after the event, if the match is being played."""
    view: View | None = None
    """With `Created` and `Moved`, and with an `Ended` for which territory was counted."""


class Happenings(Message, frozen=True):
    """Several events at once, in order: what a client that resumes has missed."""

    match: MatchId
    events: tuple[Happened, ...]


class Turn(Message, frozen=True):
    """To whom a seat belongs that is to move: its legal moves after event `seq`."""

    match: MatchId
    seq: int
    seat: int
    moves: MoveTree
    refused: MoveTree = {}
    """The moves that nothing forbids but the ban on repetition: to explain to the player why they are not there."""


class Previewed(Message, frozen=True):
    """Answers `Preview`."""

    id: CommandId
    seats: int
    to_move: int | None
    """The seat to move; None if play is over in that position, so that no match can be made from it."""
    board: Board
    view: View


class Audience(Message, frozen=True):
    """Who is there: how many watch, and which seats are connected (bots always are)."""

    match: MatchId
    spectators: int
    present: tuple[bool, ...]


class LiveMatches(Message, frozen=True):
    """The list of matches being played, the most watched first."""

    matches: tuple[MatchSummary, ...]


class Pong(Message, frozen=True):
    """Answers `Ping`."""

    nonce: int
    now_ms: int


ServerMessage: TypeAlias = (
    Welcome | Accepted | Refused | Watching | Happened | Happenings | Turn | Previewed | Audience | LiveMatches | Pong
)

_encoder = msgspec.json.Encoder()
_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class MalformedError(ValueError):
    """A frame that is not a message of this protocol; the text says why."""


def encode(message: Message) -> bytes:
    """Return the JSON of a message or event."""
    return _encoder.encode(message)


def parse_client_message(frame: bytes | str) -> ClientMessage:
    """Read a frame from a client. Raises: MalformedError."""
    try:
        return _client_decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(str(error)) from None


def parse_server_message(frame: bytes | str) -> ServerMessage:
    """Read a frame from the server. Raises: MalformedError."""
    try:
        return _server_decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(str(error)) from None


def parse_event(body: bytes | str) -> Event:
    """Read a stored event. Raises: MalformedError."""
    try:
        return _event_decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(str(error)) from None

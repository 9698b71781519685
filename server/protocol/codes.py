"""The closed lists of reasons: why something is refused, and how a match ends.

Imported by the other modules of `server.protocol` only.
"""

from enum import StrEnum


class Code(StrEnum):
    """Why a command was refused or a connection closed: the closed list."""

    MALFORMED = "malformed"
    """The frame is not JSON, not a message of this protocol, or has a field of a wrong type or size."""
    UNSUPPORTED_VERSION = "unsupported_version"
    HELLO_FIRST = "hello_first"
    """A connection begins with exactly one `Hello`."""
    BAD_TOKEN = "bad_token"
    ACCOUNT_NEEDED = "account_needed"
    """What was asked for is not for guests."""
    UNKNOWN_GAME = "unknown_game"
    BAD_SETUP = "bad_setup"
    BAD_CLOCK = "bad_clock"
    """There is no clock with such settings."""
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
    NO_SHOW = "no_show"
    """Somebody did not make the first ply in time; there is no result."""

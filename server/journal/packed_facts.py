"""What searches need to know of packed matches, as small numbers: players, origins, results. Pure.

Identities and origins are hashes of 64 bits. Two of a billion identities share one with a probability of 3 %; then the
searches of one also find the other's packed matches.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from millrace.protocol import CommandId, IdentityId, MatchId

from .entries import Origin

NO_RESULT, DRAWN = 0, 5
"""Standings of a seat, beside its rank from 1 in a match that was decided."""

STANDINGS: Mapping[str, tuple[int, ...]] = {
    "won": (1,),
    "drawn": (DRAWN,),
    "lost": (2, 3, 4),
    "none": (NO_RESULT,),
    "decided": (1, 2, 3, 4),
}
"""The standings of a seat by its result, or the match's."""

RESULTS = ("none", "decided", "drawn")
"""The results of a match, by their numbers."""


class MatchRow(NamedTuple):
    """A row of `matches` with what is kept of it."""

    id: MatchId
    origin_by: str
    origin_command: CommandId
    game: str
    created_ms: int
    ended_ms: int
    archived_ms: int | None
    rated: bool | None
    plies: int | None
    result: str | None
    openings_due: int


class SeatRow(NamedTuple):
    """A row of `match_players` with what is kept of it."""

    seat: int
    identity: IdentityId
    rank: int | None
    result: str | None


def number_of(identity: str) -> int:
    """Return the 64 bits, signed, that stand for an identity."""
    return int.from_bytes(blake2b(identity.encode(), digest_size=8).digest(), signed=True)


def origin_number(origin: Origin) -> int:
    """Return the 64 bits, signed, that stand for an origin."""
    return number_of(f"{origin.by}\n{origin.command_id}")


def standing_of(rank: int | None, result: str | None) -> int | None:
    """Return the standing of a seat, None for one that the archive does not count.

    >>> standing_of(2, "lost"), standing_of(1, "drawn"), standing_of(None, "none"), standing_of(None, None)
    (2, 5, 0, None)
    """
    if result is None:
        return None
    return DRAWN if result == "drawn" else rank or NO_RESULT


def facts_of(match: MatchRow, seats: Iterable[SeatRow], game: int) -> Mapping[str, object]:
    """Return the columns of `packed_matches` for a match of a numbered game."""
    facts: dict[str, object] = {
        "created_ms": match.created_ms,
        "ended_ms": match.ended_ms,
        "origin": origin_number(Origin(match.origin_by, match.origin_command)),
        "ply_count": match.plies,
        "game": game,
        "result": None if match.archived_ms is None or match.result is None else RESULTS.index(match.result),
        "openings_due": match.openings_due,
        "rated": match.rated,
    }
    for each in seats:
        facts[f"seat_{each.seat}"] = number_of(each.identity)
        facts[f"standing_{each.seat}"] = standing_of(each.rank, each.result)
    return facts


def standings_of(results: Sequence[str]) -> tuple[int, ...]:
    """Return the standings of a seat that has one of some results."""
    return tuple(standing for result in results for standing in STANDINGS[result])

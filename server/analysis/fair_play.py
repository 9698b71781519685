"""Who may have what analysed while matches are played: an engine is no third player.

Pure. It sees the matches of this process and knows people by their identities; who analyses as another guest is not
found out here.

A match is analysed by nobody before it is over. Who plays a rated match has no position of that game analysed until it
is over, since lines that come close to it are as good as it; who plays a casual one against somebody, not the position
that is on its board.
"""

from collections.abc import Iterable

from millrace.engine.state import State

from ..matches.match import Match, Phase
from ..protocol import Code, IdentityId
from ..protocol.refusal import Refusal


def require_over(match: Match) -> None:
    """Let nobody analyse a match that may still be played. Raises: Refusal."""
    if match.phase is not Phase.OVER:
        words = "This match is still being played: it can be analysed when it is over, so that nobody is helped."
        raise Refusal(Code.BEING_PLAYED, words)


def require_fair(state: State, identity: IdentityId, playing: Iterable[Match]) -> None:
    """Let somebody who plays these matches analyse a position that helps in none of them. Raises: Refusal."""
    for match in playing:
        if match.created.game != state.game.name or not _has_others(match, identity):
            continue
        if match.created.rated:
            title = match.state.game.title
            words = f"You are playing a rated match of {title}: until it is over, no analysis of {title} for you."
            raise Refusal(Code.BEING_PLAYED, words)
        if _is_same(match.state, state):
            words = "That is the position of a match that you are playing: it can be analysed when the match is over."
            raise Refusal(Code.BEING_PLAYED, words)


def _has_others(match: Match, identity: IdentityId) -> bool:
    """Return whether somebody else's program or person plays along; the house's own bots do not mind."""
    return bool(match.people - {identity})


def _is_same(one: State, other: State) -> bool:
    """Return whether two positions have the same men in the same places and the same seat to move."""
    return one.seat == other.seat and one.start.seats == other.start.seats and one.drawing == other.drawing

"""Fair play: restricts analysis while matches are in progress. Pure.

Nobody may analyse a match before it is over. Players of a rated match may not analyse any position of that game, since
similar lines help as much as the position itself; players of a casual match may not analyse the position on its board.
Players are known by their identities; a player who returns as another guest is not detected.
"""

from collections.abc import Iterable

from millrace.engine.state import State
from millrace.protocol import Code, IdentityId
from millrace.protocol.refusal import Refusal

from ...matches.match import Match, Phase


def require_over(match: Match) -> None:
    """Check that a match is over. Raises: Refusal."""
    if match.phase is not Phase.OVER:
        raise Refusal(Code.BEING_PLAYED, "This match is still in progress. You can analyse it when it is over.")


def require_fair(state: State, identity: IdentityId, playing: Iterable[Match]) -> None:
    """Check that analysing a position does not help a player in a match that they are playing. Raises: Refusal."""
    for match in playing:
        if match.created.game != state.game.name or not _has_others(match, identity):
            continue
        if match.created.rated:
            title = match.state.game.title
            raise Refusal(
                Code.BEING_PLAYED,
                "You are playing a rated match of {game}. You can analyse {game} when it is over.",
                game=title,
            )
        if _is_same(match.state, state):
            raise Refusal(
                Code.BEING_PLAYED,
                "This is the position of a match you are playing. You can analyse it when the match is over.",
            )


def _has_others(match: Match, identity: IdentityId) -> bool:
    """Return whether another person or bot account is playing; built-in bots do not count."""
    return bool(match.people - {identity})


def _is_same(one: State, other: State) -> bool:
    """Return whether two positions have the same pieces on the same cells and the same seat to move."""
    return one.seat == other.seat and one.start.seats == other.start.seats and one.drawing == other.drawing

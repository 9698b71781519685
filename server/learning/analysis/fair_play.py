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
        if match.created.game != state.game.name or not match.people - {identity}:
            continue  # Built-in bots are not among the match's people.
        if match.created.rated:
            title = match.state.game.title
            raise Refusal(
                Code.BEING_PLAYED,
                "You are playing a rated match of {game}. You can analyse {game} when it is over.",
                game=title,
            )
        played = match.state
        if (played.seat, played.start.seats, played.drawing) == (state.seat, state.start.seats, state.drawing):
            raise Refusal(
                Code.BEING_PLAYED,
                "This is the position of a match you are playing. You can analyse it when the match is over.",
            )

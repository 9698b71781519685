"""What is different in a match of a tournament.

Pure. A match knows its tournament only by its id; `server.tournaments` counts the results.
"""

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from .match import Match


def require_no_tournament(match: Match) -> None:
    """Refuse what players of a tournament cannot do: calling off, taking back, pausing, or playing again.

    Raises: Refusal.
    """
    if match.created.tournament is not None:
        raise Refusal(Code.NOT_IN_TOURNAMENTS, "This is not possible in a match of a tournament.")

"""All kinds of tournaments, by name."""

from collections.abc import Mapping

from millrace.protocol import TournamentKind

from ..tournament import Tournament
from .arena import ARENA
from .kind import Kind, Ranked
from .knockout import KNOCKOUT
from .round_robin import ROUND_ROBIN
from .simul import SIMUL
from .swiss import SWISS

KINDS: Mapping[TournamentKind, Kind] = {
    "arena": ARENA,
    "swiss": SWISS,
    "round_robin": ROUND_ROBIN,
    "knockout": KNOCKOUT,
    "simul": SIMUL,
}


def kind_of(tournament: Tournament) -> Kind:
    """Return the kind of a tournament."""
    return KINDS[tournament.plan.kind]


def standings_of(tournament: Tournament) -> tuple[Ranked, ...]:
    """Return the players in order; disqualified ones are last."""
    return tournament.once(kind_of(tournament).standings)

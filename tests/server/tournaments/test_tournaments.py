"""The loaded tournaments, with a store and without a server."""

from collections.abc import Sequence

import pytest

from millrace.protocol import TournamentId
from millrace.server.app.stores import Stores
from millrace.server.cluster.bus import LocalBus
from millrace.server.rooms.notifier_interface import InboxChanges
from millrace.server.tournaments.decisions import due
from millrace.server.tournaments.events import Announced, AnyEvent
from millrace.server.tournaments.tournament import SITE, Tournament
from millrace.server.tournaments.tournaments import Tournaments
from tests.server.tournaments.arenas import PLAN, START_MS

ARENA = TournamentId("arena")


def fault(_: Tournament, now_ms: int) -> Sequence[AnyEvent]:
    raise ZeroDivisionError(now_ms)


def notify(*_: object) -> InboxChanges:
    raise AssertionError("nobody is notified")


async def test_a_fault_of_a_decision_reaches_whoever_asked_and_the_tournament_goes_on(stores: Stores) -> None:
    tournaments = Tournaments(stores.tournaments, stores.accounts, notify, LocalBus(), lambda: START_MS)
    assert await tournaments.announce(ARENA, Announced(PLAN, SITE.id), SITE)
    with pytest.raises(ZeroDivisionError):
        await tournaments.change(ARENA, fault)
    assert (await tournaments.change(ARENA, due)).status == "over"
    await tournaments.close()

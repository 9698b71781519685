"""What players hear of their own places, without a server."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from millrace.protocol import IdentityId
from millrace.server.cluster.bus import LocalBus
from millrace.server.runtime.cancellation import cancel_and_wait
from millrace.server.tournaments import tournament_news
from millrace.server.tournaments.decisions import opened
from millrace.server.tournaments.tournament_news import RANK_SECONDS, TournamentNews
from millrace.server.tournaments.tournaments import TournamentChanged
from tests.server.tournaments.arenas import Arena, player

NAMES = ("Ann", "Ben", "Cem")
PLAYERS = {IdentityId(name.lower()): player(name) for name in (*NAMES, "Organiser")}


class ListWatcher:
    """Watches the list, which is sent at the end of each update."""

    def __init__(self) -> None:
        self.updates = asyncio.Queue[None]()

    def deliver(self, _: object) -> None:
        self.updates.put_nowait(None)


class Evening:
    """News of an arena whose players are all connected, on a clock of its own; also their `Presence`."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.arena = Arena(*NAMES).begin()
        self._loaded = {self.arena.tournament.id: self.arena.tournament}
        self._bus = LocalBus()
        tournaments = SimpleNamespace(loaded=self._loaded, player=PLAYERS.__getitem__)
        news = TournamentNews(cast(Any, tournaments), cast(Any, self), self._bus)
        self._watcher = ListWatcher()
        news.watch_list(cast(Any, self._watcher), on=True)
        self._heard = list[str]()
        self.running = asyncio.create_task(news.run())

    def sessions_of(self, identity: IdentityId) -> tuple[IdentityId]:
        return (identity,)

    def deliver(self, identity: IdentityId, _: object) -> None:
        self._heard.append(identity)

    async def hear(self) -> set[str]:
        """Return who has heard anything, after an update."""
        await self._watcher.updates.get()
        heard, self._heard = set(self._heard), []
        return heard

    async def change(self) -> set[str]:
        """Return who hears anything of what has changed."""
        self._loaded[self.arena.tournament.id] = self.arena.tournament
        self._bus.publish(TournamentChanged(self.arena.tournament.id))
        return await self.hear()


@pytest.fixture
async def evening(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Evening]:
    evening = Evening()
    monkeypatch.setattr(tournament_news, "monotonic", lambda: evening.now_s)
    monkeypatch.setattr(tournament_news, "UPDATE_SECONDS", 0)
    yield evening
    await cancel_and_wait([evening.running])


async def test_a_player_whose_rank_others_change_hears_of_it_later_by_itself(evening: Evening) -> None:
    assert await evening.change() == {"ann", "ben", "cem"}
    (pair,) = evening.arena.pair(away=("ann",))
    assert await evening.change() == set(), "nobody hears of a match before it is created"
    evening.arena.store(*opened(evening.arena.tournament, [pair.match]))
    assert await evening.change() == {"ben", "cem"}
    evening.arena.end(pair, "cem")
    assert await evening.change() == {"ben", "cem"}, "Ann has become third"
    evening.now_s += RANK_SECONDS
    async with asyncio.timeout(60):
        while not (heard := await evening.hear()):
            pass
    assert heard == {"ann"}

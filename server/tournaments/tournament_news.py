"""Sends what changes in tournaments: the list, pages of standings to spectators, and players' own places.

At most once a second for each tournament, with all changes until then; each frame is encoded once for all receivers.
"""

import asyncio
from collections.abc import Iterable

from millrace.protocol import (
    IdentityId,
    TournamentId,
    UnwatchTournament,
    WatchTournament,
    YourStanding,
    YourTournament,
)
from millrace.protocol import (
    Tournaments as TournamentList,
)
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.caller import Caller
from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..runtime.slices import in_slices
from .tournament import Tournament
from .tournament_views import Snapshot, place_of, snapshot_of, summary_of, your_standing
from .tournaments import SHOWN_OVER, TournamentChanged, Tournaments

UPDATE_SECONDS = 1.0
"""Minimum interval between two updates."""
ORDER = {"running": 0, "planned": 1, "over": 2}


class TournamentNews:
    """The spectators of tournaments, and what was last sent to them."""

    def __init__(self, tournaments: Tournaments, presence: Presence, bus: Bus) -> None:
        self._tournaments = tournaments
        self._presence = presence
        self._spectators: dict[TournamentId, dict[Caller, int]] = {}
        """Each with the page that is watched."""
        self._list_watchers: dict[Caller, None] = {}
        self._sent: dict[TournamentId, Snapshot] = {}
        """What the spectators of each tournament know."""
        self._places: dict[TournamentId, dict[IdentityId, YourStanding]] = {}
        """What the players know of their own places."""
        self._changed: dict[TournamentId, None] = {}
        self._has_changed = asyncio.Event()
        bus.subscribe(TournamentChanged, self._note)

    def watch_list(self, caller: Caller, *, on: bool) -> TournamentList | None:
        """Send the list to a connection, now and after each change, or stop."""
        if not on:
            self._list_watchers.pop(caller, None)
            return None
        self._list_watchers[caller] = None
        return self._list()

    def watch(self, message: WatchTournament, tournament: Tournament, caller: Caller) -> None:
        """Send a page of a tournament to a connection, now and after each change."""
        sent = self._sent.get(tournament.id)
        if sent is None:
            sent = self._sent[tournament.id] = snapshot_of(tournament, self._tournaments.player)
        self._spectators.setdefault(tournament.id, {})[caller] = message.page
        # The own place is as it is now, since its news may have been sent already; the rest follows by updates.
        caller.send(sent.view(message.page, place_of(tournament, caller.identity, self._tournaments.player)))

    def unwatch(self, message: UnwatchTournament, caller: Caller) -> None:
        """Stop sending a tournament to a connection."""
        self._forget(message.tournament, caller)

    def disconnect(self, caller: Caller) -> None:
        """Forget a connection."""
        self._list_watchers.pop(caller, None)
        for tournament in tuple(self._spectators):
            self._forget(tournament, caller)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return a player's places in running tournaments, for a new connection."""
        frames = []
        for tournament in self._tournaments.loaded.values():
            if tournament.status == "running" and identity in tournament.entrants:
                frames.append(_place_frame(tournament, place_of(tournament, identity, self._tournaments.player)))
        return tuple(frames)

    async def run(self) -> None:
        """Send changes, until cancelled."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            changed, self._changed = self._changed, {}
            for tournament in changed:
                await self._send(tournament)
            await self._send_list()
            await asyncio.sleep(UPDATE_SECONDS)

    def _note(self, event: TournamentChanged) -> None:
        self._changed[event.tournament] = None
        self._has_changed.set()

    def _forget(self, tournament: TournamentId, caller: Caller) -> None:
        spectators = self._spectators.get(tournament, {})
        spectators.pop(caller, None)
        if not spectators:
            self._spectators.pop(tournament, None)
            self._sent.pop(tournament, None)

    async def _send(self, tournament_id: TournamentId) -> None:
        tournament = self._tournaments.loaded.get(tournament_id)
        if tournament is None:
            return
        now = snapshot_of(tournament, self._tournaments.player)
        await self._send_places(tournament, now)
        before = self._sent.get(tournament_id)
        if before is None:
            return
        self._sent[tournament_id] = now
        spectators = tuple(self._spectators[tournament_id].items())
        frames = self._frames(now, before, {page for _, page in spectators})
        async for caller, page in in_slices(spectators):
            if page in frames:
                caller.deliver((frames[page],))

    def _frames(self, now: Snapshot, before: Snapshot, pages: Iterable[int]) -> dict[int, WireFrame]:
        updates = ((page, now.update(before, page)) for page in pages)
        return {page: frame_of(update) for page, update in updates if update is not None}

    async def _send_places(self, tournament: Tournament, now: Snapshot) -> None:
        """Send their own places to the players on this node for whom something has changed."""
        known = self._places.setdefault(tournament.id, {})
        is_over = tournament.status == "over"
        async for row in in_slices(now.standings):
            identity = row.player.id
            if not self._presence.sessions_of(identity):
                known.pop(identity, None)
                continue
            you = your_standing(tournament, row, self._tournaments.player)
            if is_over or known.get(identity) != you:
                known[identity] = you
                self._presence.deliver(identity, (_place_frame(tournament, you),))
        for identity in known.keys() - tournament.entrants.keys():
            del known[identity]
            self._presence.deliver(identity, (_place_frame(tournament, None),))
        if is_over:
            del self._places[tournament.id]

    async def _send_list(self) -> None:
        if not self._list_watchers:
            return
        frame = frame_of(self._list())
        async for caller in in_slices(tuple(self._list_watchers)):
            caller.deliver((frame,))

    def _list(self) -> TournamentList:
        now = [each for each in self._tournaments.loaded.values() if each.status != "over"]
        now.sort(key=lambda each: (ORDER[each.status], each.plan.starts_at_ms))
        over = [each for each in self._tournaments.loaded.values() if each.status == "over" and each.entrants]
        over.sort(key=lambda each: -each.ends_at_ms)
        shown = (*now, *over[:SHOWN_OVER])
        return TournamentList(tuple(summary_of(each, self._tournaments.player) for each in shown))


def _place_frame(tournament: Tournament, you: YourStanding | None) -> WireFrame:
    plan, is_over = tournament.plan, tournament.status == "over"
    return frame_of(YourTournament(tournament.id, plan.name, you, is_over, plan.clock.renews))

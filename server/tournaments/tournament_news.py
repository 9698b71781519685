"""Sends what changes in tournaments: the list, pages of standings to spectators, and players' own places.

At most once a second for each tournament, with all changes until then; each frame is encoded once for all receivers.
"""

import asyncio
from time import monotonic
from typing import NamedTuple

from millrace.protocol import (
    IdentityId,
    Player,
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
from .kinds.all_kinds import standings_of
from .kinds.kind import Ranked
from .tournament import Entrant, Tournament
from .tournament_views import Snapshot, place_of, standing_of, summary_of, your_standing
from .tournaments import SHOWN_OVER, TournamentChanged, Tournaments

UPDATE_SECONDS = 1.0
"""Minimum interval between two updates."""
RANK_SECONDS = 10.0
"""Minimum interval between two messages to a player whose rank alone has changed: one result moves hundreds."""
PAIRED_AT_ONCE, PAIRED_SECONDS = 2, 0.002
"""Players told together whom they play, and the pause after them: all of a wave open their matches at once, and the
moves of others would wait for hundreds of answers."""
ORDER = {"running": 0, "planned": 1, "over": 2}


class _Told(NamedTuple):
    """What a player knows of the own place, and what that follows from."""

    you: YourStanding
    ranked: Ranked
    players: tuple[Player, ...]
    """The player, and everyone in the match that has been created for the player."""
    at: float
    """By `monotonic`."""


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
        self._places: dict[TournamentId, dict[IdentityId, _Told]] = {}
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
            sent = self._sent[tournament.id] = Snapshot(tournament, self._tournaments.player)
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
        await self._send_places(tournament)
        before = self._sent.get(tournament_id)
        if before is None:
            return
        now = self._sent[tournament_id] = Snapshot(tournament, self._tournaments.player)
        pages = dict[int, list[Caller]]()
        for caller, page in self._spectators[tournament_id].items():
            pages.setdefault(page, []).append(caller)
        async for page, callers in in_slices(pages.items()):
            update = now.update(before, page)
            if update is None:
                continue
            frame = frame_of(update)
            async for caller in in_slices(callers):
                caller.deliver((frame,))

    async def _send_places(self, tournament: Tournament) -> None:
        """Send their own places to the players on this node for whom something has changed."""
        known, now = self._places.setdefault(tournament.id, {}), monotonic()
        is_over, begun = tournament.status == "over", 0
        async for rank, ranked in in_slices(enumerate(standings_of(tournament), 1)):
            identity = ranked.entrant.identity
            if not self._presence.sessions_of(identity):
                known.pop(identity, None)
                continue
            told, players = known.get(identity), self._players_of(tournament, ranked.entrant)
            if told is not None and not is_over and (told.ranked, told.players) == (ranked, players):
                if told.you.standing.rank == rank:
                    continue
                if now - told.at < RANK_SECONDS:
                    self._note(TournamentChanged(tournament.id))  # it is sent later, even if nothing else happens
                    continue
            row = standing_of(tournament, ranked, rank, self._tournaments.player)
            you = your_standing(tournament, row, self._tournaments.player)
            known[identity] = _Told(you, ranked, players, now)
            if is_over or told is None or told.you != you:
                self._presence.deliver(identity, (_place_frame(tournament, you),))
            if row.match is not None and (told is None or told.you.standing.match != row.match):
                begun += 1
                if begun % PAIRED_AT_ONCE == 0:
                    await asyncio.sleep(PAIRED_SECONDS)
        for identity in known.keys() - tournament.entrants.keys():
            del known[identity]
            self._presence.deliver(identity, (_place_frame(tournament, None),))
        if is_over:
            del self._places[tournament.id]

    def _players_of(self, tournament: Tournament, entrant: Entrant) -> tuple[Player, ...]:
        pair = tournament.pairs[entrant.match] if entrant.match in tournament.opened else None
        return tuple(map(self._tournaments.player, (entrant.identity, *(() if pair is None else pair.players))))

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

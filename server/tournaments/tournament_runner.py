"""What happens by itself in tournaments: the start, waves of pairing or rounds, results, the end.

Only the node that holds the lease does this. It stores a wave with the ids of its matches before it creates them. After
a crash, the node with the lease creates the missing matches and counts the results that were missed.
"""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from functools import partial

import structlog

from millrace.protocol import Created, IdentityId, MatchId, Player, TournamentId, TournamentPlan
from millrace.protocol.refusal import Refusal

from ..bots.background_process import BackgroundProcess
from ..bots.requests import Bots
from ..bots.search_workers import WorkerError
from ..callers.presence import Presence
from ..callers.restrictions import Restrictions
from ..cluster.bus import Bus
from ..cluster.events import InterruptionEnded, MatchChanged
from ..cluster.membership import Membership
from ..journal.unavailable import refusing_failures
from ..matches.creation import plans_for, random_setup, setup_for
from ..matches.match import Match, Phase
from ..matches.match_ids import ID_BITS, match_id_of
from ..ratings.ratings import Ratings
from ..rooms.rooms import Rooms
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from ..storage.fences import Fence
from .built_in_entrants import are_wanted, built_in, join_built_in
from .calendar import Calendar, occurrences
from .decisions import (
    can_berserk,
    departures,
    due,
    halted,
    is_round_over,
    opened,
    rating_kind_of,
    score,
    score_unfinished,
    wave_of,
    whom_to_pair,
)
from .events import Announced, Pair
from .kinds.all_kinds import kind_of
from .kinds.kind import Question, Wave
from .tournament import MINUTE_MS, SITE, Tournament
from .tournament_store import TournamentStore
from .tournaments import Tournaments

log = structlog.get_logger()

TICK_SECONDS = 1.0
LOOK_AGAIN_TICKS = 15
"""Ticks between two looks for results that were not noticed, and for matches that were not created."""
AHEAD_MS = 36 * 3_600_000
"""How long before its start a tournament of the calendar is announced."""
OPENED_AT_ONCE = 4
"""Matches created together: more would save the disk, and hold up the moves of others."""
LEASE = "tournaments"
"""The name of the lease for tournaments."""
MOST_SEEDS = 1_000_000_000
"""Numbers that choose a pasture."""
RECENT_MS = 30_000
"""An interruption that ended before was this node's alone: another node has had the lease."""


class TournamentRunner:
    """Runs the tournaments of the server."""

    def __init__(
        self,
        tournaments: Tournaments,
        store: TournamentStore,
        rooms: Rooms,
        presence: Presence,
        restrictions: Restrictions,
        ratings: Ratings,
        bots: Bots,
        background: BackgroundProcess,
        bus: Bus,
        membership: Membership,
        now_ms: NowMs,
        calendar: Calendar = (),
    ) -> None:
        self._tournaments = tournaments
        self._store = store
        self._rooms = rooms
        self._presence = presence
        self._restrictions = restrictions
        self._ratings = ratings
        self._bots = bots
        self._background = background
        self._membership = membership
        self._now_ms = now_ms
        self._calendar = calendar
        self._lease = membership.lease(LEASE)
        self._ticks = 0
        self._counting: set[asyncio.Task[None]] = set()
        self._interruptions: list[tuple[int, int]] = []
        """Beginning and end of those that the tournaments may not know of."""
        bus.subscribe(MatchChanged, self._match_changed)
        bus.subscribe(InterruptionEnded, lambda event: self._interruptions.append((event.since_ms, now_ms())))

    async def run(self) -> None:
        """Run the tournaments, if this node holds the lease, until cancelled."""
        while True:
            fence = self._lease.fence
            if fence is not None and not self._rooms.are_interrupted:
                await self._tick(fence)
            self._ticks = self._ticks + 1 if fence is not None else 0
            await asyncio.sleep(TICK_SECONDS)

    async def close(self) -> None:
        """Finish counting results."""
        await asyncio.gather(*self._counting, return_exceptions=True)

    async def _tick(self, fence: Fence) -> None:
        try:
            await self._halt(fence)
        except (Refusal, StorageError) as error:
            log.warning("interruption of tournaments not stored yet", error=str(error))
            return
        if self._ticks % LOOK_AGAIN_TICKS == 0:
            await self._fill_calendar()
        for tournament in tuple(self._tournaments.loaded.values()):
            if tournament.status == "over":
                continue
            try:
                await self._advance(tournament, fence)
            except (Refusal, StorageError, WorkerError) as error:
                log.warning("tournament not advanced", tournament=tournament.id, error=str(error))
            except Exception:
                # The task's boundary: the other tournaments go on.
                log.exception("tournament failed", tournament=tournament.id)

    async def _halt(self, fence: Fence) -> None:
        """Let the time of tournaments stand still for past interruptions. Raises: Refusal, StorageError."""
        while self._interruptions:
            since_ms, until_ms = self._interruptions[0]
            decide = partial(halted, since_ms=since_ms, until_ms=until_ms)
            if self._now_ms() - until_ms < RECENT_MS:
                for tournament in tuple(self._tournaments.loaded):
                    await self._tournaments.change(tournament, decide, fence)
            self._interruptions.pop(0)

    async def _fill_calendar(self) -> None:
        """Announce the tournaments of the calendar that start soon. Storing one a second time changes nothing."""
        now_ms, known = self._now_ms(), self._tournaments.loaded
        new = [each for each in occurrences(self._calendar, now_ms, now_ms + AHEAD_MS) if each.tournament not in known]
        try:
            for tournament, plan in new:
                if not await self._tournaments.announce(tournament, Announced(plan, SITE.id), SITE):
                    await self._tournaments.find(tournament)
        except (Refusal, StorageError) as error:
            log.warning("calendar not filled", error=str(error))

    async def _advance(self, tournament: Tournament, fence: Fence) -> None:
        """Do what is due in a tournament. Raises: Refusal, StorageError, WorkerError."""
        ends_round = is_round_over(tournament, self._now_ms())
        looks = self._ticks % LOOK_AGAIN_TICKS == 0 or ends_round
        if tournament.pairs and (looks or due(tournament, self._now_ms())):
            tournament = await self._repair(tournament, fence)
        if ends_round:
            tournament = await self._end_round(tournament, fence)
        if due(tournament, self._now_ms()):
            tournament = await self._tournaments.change(tournament.id, due, fence)
        has_gone = partial(self._has_gone, tournament.plan)
        if departures(tournament, has_gone):
            tournament = await self._tournaments.change(tournament.id, lambda now, _: departures(now, has_gone), fence)
        await self._hold_wave(tournament, fence)

    def _has_gone(self, plan: TournamentPlan, identity: IdentityId) -> bool:
        """Return whether an account is banned or deleted, or has become a bot that is not admitted."""
        player = self._tournaments.player(identity)
        is_banned = self._restrictions.ban_of(identity) is not None
        is_deleted = not player.registered and player.level is None
        return is_banned or is_deleted or (player.bot and not plan.bots)

    async def _repair(self, tournament: Tournament, fence: Fence) -> Tournament:
        """Create matches that are missing, and count results that were missed. Raises: Refusal, StorageError."""
        ends = await self._store.ends_of(tuple(tournament.pairs))
        for match, ended_ms in ends.items():
            if ended_ms is not None:
                tournament = await self._count((await self._rooms.find(match)).match, tournament.id)
        return await self._open(
            tournament, [pair for pair in tournament.pairs.values() if pair.match not in tournament.opened], fence
        )

    async def _end_round(self, tournament: Tournament, fence: Fence) -> Tournament:
        """Count the matches that are not finished at the end of a round by date. Raises: Refusal, StorageError."""
        for match_id in tournament.opened:
            match, recorded = (await self._rooms.find(match_id)).match, await self._store.recorded(match_id)
            decide = partial(score_unfinished, match=match, recorded=recorded)
            tournament = await self._tournaments.change(tournament.id, decide, fence)
        return tournament

    async def _open(self, tournament: Tournament, pairs: Sequence[Pair], fence: Fence) -> Tournament:
        """Create matches of a wave, or find them; then let everyone know. Raises: Refusal."""
        created = list[MatchId]()
        for first in range(0, len(pairs), OPENED_AT_ONCE):
            some = pairs[first : first + OPENED_AT_ONCE]
            are_created = await asyncio.gather(*(self._is_created(tournament, pair) for pair in some))
            created += [pair.match for pair, is_created in zip(some, are_created, strict=True) if is_created]
        return await self._tournaments.change(tournament.id, lambda now, _: opened(now, created), fence)

    async def _is_created(self, tournament: Tournament, pair: Pair) -> bool:
        try:
            await self._create(tournament, pair)
        except Refusal as refusal:
            log.warning("match of a tournament not created yet", match=pair.match, error=refusal.message)
            return False
        return True

    async def _hold_wave(self, tournament: Tournament, fence: Fence) -> None:
        """Pair players, if a wave or round is due, and create their matches. Raises: Refusal, WorkerError."""
        online = {identity for identity in tournament.entrants if self._presence.is_online(identity)}
        plan = tournament.plan
        if plan.game not in self._bots.waiting_games and are_wanted(tournament, online, self._tournaments.player):
            find = partial(self._ratings.find, kind=rating_kind_of(plan))
            tournament = await self._tournaments.change(tournament.id, lambda now, _: join_built_in(now, find), fence)
            online |= built_in(tournament)
        question = whom_to_pair(tournament, online, self._now_ms())
        if question is None:
            return
        wave = await self._answer(question)
        ids, seed = _new_ids(), secrets.randbelow(MOST_SEEDS)
        then = await self._tournaments.change(
            tournament.id, lambda now, _: wave_of(tournament, now, wave, ids, seed), fence
        )
        new = [pair for match, pair in then.pairs.items() if match not in tournament.pairs]
        await self._open(then, new, fence)

    async def _answer(self, question: Question) -> Wave | None:
        if question.is_long:
            return await self._background.run("tournaments", question.answer, *question.arguments)
        return question.answer(*question.arguments)

    async def _create(self, tournament: Tournament, pair: Pair) -> None:
        """Create a match of a wave, or find it. Raises: Refusal."""
        plan, seats = tournament.plan, len(pair.players)
        seed = tournament.rounds[-1].seed if tournament.rounds else None
        drawn = setup_for(plan.game, seats) if seed is None else random_setup(plan.game, seats, seed)
        players = [self._player(identity) for identity in pair.players]
        created = Created(
            plan.game,
            plan.setup or drawn,
            plans_for(players),
            kind_of(tournament).clock_of(tournament, pair),
            rated=plan.rated,
            tournament=tournament.id,
            berserk=can_berserk(plan),
            host=pair.players.index(tournament.by) if plan.kind == "simul" else None,
        )
        host_extra_ms = plan.extra_minutes * MINUTE_MS
        await self._rooms.new.open_tournament_match(pair.match, created, players, host_extra_ms=host_extra_ms)

    def _player(self, identity: IdentityId) -> Player:
        return self._presence.find(identity) or self._tournaments.player(identity)

    def _match_changed(self, event: MatchChanged) -> None:
        """Count the result of a match that has ended, if this node owns it."""
        match = self._rooms.peek(event.match)
        if match is None or match.created.tournament is None or match.phase is not Phase.OVER:
            return
        tournament = self._tournaments.loaded.get(match.created.tournament)
        if tournament is not None and match.id in tournament.pairs and self._membership.owns(match.id):
            task = asyncio.create_task(self._count_ended(match, tournament.id))
            self._counting.add(task)
            task.add_done_callback(self._counting.discard)

    async def _count_ended(self, match: Match, tournament: TournamentId) -> None:
        try:
            await self._count(match, tournament)
        except Refusal as refusal:
            log.warning("result not counted yet", match=match.id, error=refusal.message)

    async def _count(self, match: Match, tournament: TournamentId) -> Tournament:
        """Count the result of a match that has ended, unless that has been done. Raises: Refusal."""
        with refusing_failures("tournament not read"):
            return await self._tournaments.change(tournament, lambda now, _: score(now, match))


def _new_ids() -> Iterator[MatchId]:
    while True:
        yield match_id_of(secrets.randbits(ID_BITS))

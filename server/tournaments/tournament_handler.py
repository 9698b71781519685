"""The handler of tournaments: creating, joining, leaving and following them."""

import secrets
from collections.abc import Coroutine, Sequence

from millrace.protocol import (
    AcceptPlayer,
    Code,
    CreateTournament,
    DisqualifyPlayer,
    Done,
    ForbidPairing,
    GetTournamentMatches,
    IdentityId,
    JoinTournament,
    LeaveTournament,
    Message,
    Scope,
    StartSimul,
    SwitchableFeature,
    TournamentCreated,
    TournamentId,
    TournamentMatches,
    UnwatchTournament,
    WatchTournament,
    WatchTournaments,
)
from millrace.protocol import (
    Tournaments as TournamentList,
)
from millrace.protocol.frames import WireFrame
from millrace.protocol.refusal import Refusal

from ..callers.answers import Answers, Memory, require_first
from ..callers.caller import Caller, FindPlayer, account_of
from ..callers.feature import Access, Feature, Route
from ..callers.limit import DAY_MS, MINUTE_MS, Limit
from ..callers.limits import Limits, Present
from ..callers.restrictions import Restrictions
from ..journal.unavailable import refusing_failures
from ..matches.built_in_bots import BUILT_IN_BOTS
from ..matches.match_ids import ID_BITS, match_id_of
from ..ratings.ratings import Ratings
from ..runtime.system_clock import NowMs
from .decisions import Candidate, digest_of, disqualify, forbid, join, leave, rating_kind_of, require_plan
from .events import Announced
from .kinds.simul import accept, start
from .tournament import Tournament
from .tournament_news import TournamentNews
from .tournament_runner import TournamentRunner
from .tournament_views import matches_of
from .tournaments import Tournaments

TOURNAMENTS_CREATED = Limit(
    name="tournaments_created",
    counts="tournaments created",
    refusal="You have already created that many tournaments today.",
    window_ms=DAY_MS,
    account=12,
    address=120,
)
PLANNED_TOURNAMENTS = Limit(
    name="planned_tournaments",
    counts="tournaments that are not over, by organiser",
    refusal="{bound} of your tournaments are not over yet; wait until one ends.",
    account=6,
)
TOURNAMENT_JOINS = Limit(
    name="tournament_joins",
    counts="tournaments joined or left",
    refusal="You have joined and left many tournaments.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=20,
    address=600,
)
PAIRINGS_FORBIDDEN = Limit(
    name="pairings_forbidden",
    counts="pairs of a Swiss kept apart, or no longer",
    refusal="You have changed many pairs.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=60,
    address=600,
)
SIMUL_PLAYERS_CHANGED = Limit(
    name="simul_players_changed",
    counts="players of a simul accepted or removed",
    refusal="You have accepted and removed many players.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=100,
    address=600,
)


class TournamentHandler(Feature):
    """Answers players and organisers, and runs the tournaments."""

    def __init__(
        self,
        tournaments: Tournaments,
        runner: TournamentRunner,
        news: TournamentNews,
        ratings: Ratings,
        restrictions: Restrictions,
        find_player: FindPlayer,
        answers: Answers,
        limits: Limits,
        now_ms: NowMs,
        least_minutes: int,
    ) -> None:
        """`least_minutes` is how long an arena lasts at least."""
        self._tournaments = tournaments
        self._runner = runner
        self._news = news
        self._ratings = ratings
        self._restrictions = restrictions
        self._find_player = find_player
        self._limits = limits
        self._now_ms = now_ms
        self._least_minutes = least_minutes
        self.routes = (
            Route(CreateTournament, answers.once(self.create), Scope.PLAY, feature=SwitchableFeature.MATCHES),
            Route(JoinTournament, self.join, Scope.PLAY),
            Route(LeaveTournament, self.leave, Scope.PLAY),
            Route(DisqualifyPlayer, self.disqualify, Access.SIGNED_IN),
            Route(ForbidPairing, self.forbid, Access.SIGNED_IN),
            Route(AcceptPlayer, self.accept, Scope.PLAY),
            Route(StartSimul, self.start, Scope.PLAY, feature=SwitchableFeature.MATCHES),
            Route(GetTournamentMatches, self.matches, Scope.READ),
            Route(WatchTournaments, self.watch_list, Scope.READ),
            Route(WatchTournament, self.watch, Scope.READ),
            Route(UnwatchTournament, self.unwatch, Scope.READ),
        )

    async def load(self) -> None:
        """Load the tournaments. Raises: StorageError."""
        await self._tournaments.load()

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return what runs the tournaments and sends their news."""
        return (self._tournaments.run(), self._runner.run(), self._news.run())

    async def close(self) -> None:
        """Finish what is being stored."""
        await self._runner.close()
        await self._tournaments.close()

    def greet(self, caller: Caller) -> Sequence[WireFrame]:
        """Return the caller's places in running tournaments."""
        return self._news.greet(caller.identity)

    def disconnect(self, caller: Caller) -> None:
        """Forget a spectator."""
        self._news.disconnect(caller)

    async def create(self, command: CreateTournament, caller: Caller, memory: Memory) -> Message:
        """Store a new tournament. Raises: Refusal."""
        player, plan = account_of(caller), command.plan
        require_plan(plan, self._now_ms(), self._least_minutes)
        self._limits.require_room(PLANNED_TOURNAMENTS, caller, self._planned_by(caller))
        self._limits.use(TOURNAMENTS_CREATED, caller)
        tournament = TournamentId(match_id_of(secrets.randbits(ID_BITS)))
        event = Announced(plan, player.id, digest_of(tournament, command.password))
        answer = TournamentCreated(command.id, tournament)
        with refusing_failures("tournament not stored"):
            require_first(await self._tournaments.announce(tournament, event, player, memory.step(answer)))
        return answer

    async def join(self, command: JoinTournament, caller: Caller) -> Done:
        """Let the caller join, or come back. Raises: Refusal."""
        player = account_of(caller)
        self._limits.use(TOURNAMENT_JOINS, caller)
        tournament = await self._tournaments.find(command.tournament)
        rating = self._ratings.find(player.id, rating_kind_of(tournament.plan))
        candidate = Candidate(player, rating.points, rating.is_provisional, rating.matches, command.password)
        await self._tournaments.change(tournament.id, lambda now, _: join(now, candidate), by=player)
        return Done(command.id)

    async def leave(self, command: LeaveTournament, caller: Caller) -> Done:
        """Let the caller withdraw or pause. Raises: Refusal."""
        self._limits.use(TOURNAMENT_JOINS, caller)
        await self._tournaments.change(command.tournament, lambda now, _: leave(now, caller.identity))
        return Done(command.id)

    async def disqualify(self, command: DisqualifyPlayer, caller: Caller) -> Done:
        """Disqualify a player. Raises: Refusal."""
        if self._restrictions.role_of(caller.identity) is None:
            raise Refusal(Code.NOT_ALLOWED, "Only moderators can do this.")
        identity, by = await self._identity_of(command.player), caller.identity
        await self._tournaments.change(command.tournament, lambda now, _: disqualify(now, identity, by))
        return Done(command.id)

    async def forbid(self, command: ForbidPairing, caller: Caller) -> Done:
        """Keep two players of a Swiss apart, or no longer. Raises: Refusal."""
        organiser = (await self._tournaments.find(command.tournament)).by
        if caller.identity != organiser and self._restrictions.role_of(caller.identity) is None:
            raise Refusal(Code.NOT_ALLOWED, "Only the organiser and moderators can do this.")
        self._limits.use(PAIRINGS_FORBIDDEN, caller)
        one, other = [await self._identity_of(name) for name in command.players]
        await self._tournaments.change(command.tournament, lambda now, _: forbid(now, (one, other), on=command.on))
        return Done(command.id)

    async def accept(self, command: AcceptPlayer, caller: Caller) -> Done:
        """Accept a player of a simul, or remove one. Raises: Refusal."""
        await self._require_host(command.tournament, caller)
        self._limits.use(SIMUL_PLAYERS_CHANGED, caller)
        identity = await self._identity_of(command.player)
        await self._tournaments.change(command.tournament, lambda now, _: accept(now, identity, on=command.on))
        return Done(command.id)

    async def start(self, command: StartSimul, caller: Caller) -> Done:
        """Start a simul. Raises: Refusal."""
        await self._require_host(command.tournament, caller)
        await self._tournaments.change(command.tournament, lambda now, _: start(now))
        return Done(command.id)

    async def matches(self, command: GetTournamentMatches, _: Caller) -> TournamentMatches:
        """Answer with a player's matches. Raises: Refusal."""
        tournament, identity = await self._tournaments.find(command.tournament), await self._identity_of(command.player)
        if identity not in tournament.entrants:
            raise Refusal(Code.NOT_JOINED, "This player has not joined the tournament.")
        return TournamentMatches(command.id, matches_of(tournament, identity, self._tournaments.player))

    async def watch_list(self, message: WatchTournaments, caller: Caller) -> TournamentList | None:
        """Send the list, now and after each change, or stop."""
        return self._news.watch_list(caller, on=message.on)

    async def watch(self, message: WatchTournament, caller: Caller) -> None:
        """Send a tournament, now and after each change. Raises: Refusal."""
        tournament: Tournament = await self._tournaments.find(message.tournament)
        self._news.watch(message, tournament, caller)

    async def unwatch(self, message: UnwatchTournament, caller: Caller) -> None:
        """Stop sending a tournament."""
        self._news.unwatch(message, caller)

    async def _require_host(self, tournament: TournamentId, caller: Caller) -> None:
        if caller.identity != (await self._tournaments.find(tournament)).by:
            raise Refusal(Code.NOT_ALLOWED, "Only the host can do this.")

    async def _identity_of(self, name: str) -> IdentityId:
        bot = next((bot.id for bot in BUILT_IN_BOTS.values() if bot.name == name), None)
        if bot is not None:
            return bot
        with refusing_failures("accounts not read", "look this up"):
            player = await self._find_player(name)
        if player is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no player called {name}.", name=name)
        return player.id

    def _planned_by(self, caller: Caller) -> Present:
        current = [each for each in self._tournaments.loaded.values() if each.status != "over"]
        return Present(sum(each.by == caller.identity for each in current))

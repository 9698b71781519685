"""The handler of races: opening, joining and starting them, judging the moves, and showing them as they change."""

import random
import secrets
from collections.abc import Callable, Coroutine, Sequence

from millrace.protocol import (
    Code,
    Done,
    GetRaceRun,
    IdentityId,
    JoinRace,
    Message,
    OpenRace,
    PlayRace,
    RaceOpened,
    RacePlayed,
    Racer,
    RaceRun,
    RaceView,
    Scope,
    StartRace,
    StormPuzzle,
    WatchRace,
)
from millrace.protocol.frames import frame_of
from millrace.protocol.refusal import Refusal

from ...callers.answers import Answers, Memory, require_first
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limit import HOUR_MS, Limit
from ...callers.limits import Limits
from ...callers.presence import Presence
from ...cluster.bus import Bus
from ...cluster.bus_events import BusRestored
from ...cluster.events import PresenceChanged, SharedEvent
from ...journal.rereading import Rereading
from ...journal.unavailable import refusing_failures
from ...runtime.slices import in_slices
from ...runtime.system_clock import NowMs
from ...storage.errors import StorageError
from ..puzzles.library import GamePuzzles, PuzzleLibrary
from ..puzzles.solving import judge
from ..storms.storm import next_puzzle
from ..storms.storm_handler import pose
from .race import PUZZLES, Race, Run, followed, is_over, joined, left, played, require_playable, started
from .race_store import RaceStore, changing_steps

ATTEMPTS = 10
"""Maximum attempts to change a race after others were quicker: as many as there are players."""

UPDATE_SECONDS = 0.2
"""Minimum interval between two views of a race."""

RACES_JOINED = Limit(
    name="races_joined",
    counts="races opened or joined",
    refusal="You can take part in {bound} races an hour.",
    window_ms=HOUR_MS,
    account=120,
    guest=60,
    address=1_200,
)


class RaceChanged(SharedEvent, frozen=True):
    """A race has changed in the database."""

    race: str

    @property
    def topic(self) -> str:
        """The race."""
        return f"race/{self.race}"


class RaceHandler(Feature):
    """Answers the players and spectators of races. The database holds each race, so they may be on any node."""

    def __init__(
        self,
        store: RaceStore,
        library: PuzzleLibrary,
        presence: Presence,
        bus: Bus,
        now_ms: NowMs,
        limits: Limits,
        answers: Answers,
        seconds: int,
    ) -> None:
        """A race lasts `seconds`."""
        self._store, self._library, self._presence, self._bus = store, library, presence, bus
        self._now_ms, self._limits, self._duration_ms = now_ms, limits, seconds * 1_000
        self._random_below = random.SystemRandom().randrange
        self._watched: dict[str, _Watched] = {}
        self._stale = Rereading(self._show, UPDATE_SECONDS)
        bus.subscribe(RaceChanged, lambda event: self._stale.ask([event.race]))
        bus.subscribe(PresenceChanged, lambda event: self._presence_changed(event.player.id))
        bus.subscribe(BusRestored, lambda _: self._stale.ask(self._watched))
        self.routes = (
            Route(OpenRace, answers.once(self.open)),
            Route(JoinRace, answers.once(self.join)),
            Route(StartRace, answers.once(self.start)),
            Route(PlayRace, answers.once(self.play)),
            Route(GetRaceRun, self.get_run, Scope.READ),
            Route(WatchRace, self.watch, Scope.READ),
        )

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Show changed races to those who watch them."""
        return (self._stale.run(),)

    def disconnect(self, caller: Caller) -> None:
        """Forget a spectator."""
        for race, watched in tuple(self._watched.items()):
            if caller in watched.callers:
                del watched.callers[caller]
                self._bus.unfollow(RaceChanged(race).topic)
                if not watched.callers:
                    del self._watched[race]

    async def open(self, command: OpenRace, caller: Caller, memory: Memory) -> Message:
        """Open a race, and join it; or the one that follows a finished one. Raises: Refusal."""
        self._limits.use(RACES_JOINED, caller)
        with refusing_failures("race not stored"):
            if command.after:
                return await self._open_next(command, caller, memory)
            race = await self._new(command.game, caller)
            answer = RaceOpened(command.id, race.id)
            require_first(await self._store.open(race, self._now_ms(), memory.step(answer)))
            return answer

    async def join(self, command: JoinRace, caller: Caller, memory: Memory) -> Message:
        """Let the caller join a race, or leave it. Raises: Refusal."""
        if not command.on:
            return await self._change(command.race, memory, lambda now: (left(now, caller.identity), Done(command.id)))
        self._limits.use(RACES_JOINED, caller)
        return await self._join(command.race, caller, memory, Done(command.id))

    async def start(self, command: StartRace, caller: Caller, memory: Memory) -> Message:
        """Start the countdown of a race. Raises: Refusal."""

        def decide(race: Race) -> tuple[Race, Message]:
            race.place_of(caller.identity)
            after = started(race, self._now_ms())
            if self._starter_of(race) != caller.identity:
                raise Refusal(Code.HOST_NEEDED, "Only the player who joined first can start the race.")
            return after, Done(command.id)

        return await self._change(command.race, memory, decide)

    async def play(self, command: PlayRace, caller: Caller, memory: Memory) -> Message:
        """Judge a move in the caller's present puzzle. Raises: Refusal."""

        def decide(race: Race) -> tuple[Race, Message]:
            place, now_ms = race.place_of(caller.identity), self._now_ms()
            require_playable(race, now_ms)
            run = race.runs[place]
            if is_over(race, now_ms) or run.number > len(race.puzzles):
                return race, RacePlayed(command.id, race.id, False, True, "", 0, 0, None, _racer(run))
            if command.number != run.number or len(command.moves) != run.plies + 1:
                raise Refusal(Code.ILLEGAL_MOVE, "The race is at another move.")
            puzzles, chosen = self._puzzle(race, run.number)
            verdict = judge(puzzles.game, puzzles.by_id[chosen], command.moves)
            after = played(race, place, verdict)
            now = after.runs[place]
            following = self._posed(after, now.number + 1) if now.number > run.number else ()
            return after, RacePlayed(
                command.id,
                race.id,
                verdict.is_right,
                False,
                verdict.reply if verdict.is_right else "",
                max(0, race.ends_ms - now_ms),
                now.score - run.score - verdict.is_right,
                following[0] if following else None,
                _racer(now),
            )

        return await self._change(command.race, memory, decide)

    async def get_run(self, command: GetRaceRun, caller: Caller) -> RaceRun:
        """Answer with the caller's puzzles. Raises: Refusal."""
        with refusing_failures("race not read", "look this up"):
            race = await self._find(command.race)
        run, now_ms = race.runs[race.place_of(caller.identity)], self._now_ms()
        require_playable(race, race.starts_ms)  # during the countdown too, to prepare the boards
        posed = (*self._posed(race, run.number), *self._posed(race, run.number + 1))
        moves: tuple[str, ...] = ()
        if run.plies:
            puzzles, chosen = self._puzzle(race, run.number)
            moves = tuple(puzzles.by_id[chosen].accepted_at(ply)[0] for ply in range(run.plies))
        times = (race.starts_ms - now_ms, max(0, race.ends_ms - now_ms))
        return RaceRun(command.id, race.id, *times, posed, moves, _racer(run))

    async def watch(self, message: WatchRace, caller: Caller) -> None:
        """Send a race, now and after each change, instead of the one watched before; or stop. Raises: Refusal."""
        self.disconnect(caller)
        if message.on:
            watched = self._watched.setdefault(message.race, _Watched())
            watched.callers[caller] = None
            await self._bus.follow(RaceChanged(message.race).topic)
            try:
                watched.race = await self._find(message.race)
            except StorageError:
                self._stale.ask([message.race])
            except Refusal:
                self.disconnect(caller)
                raise
            else:
                caller.send(self._view(watched.race))

    # Changing races

    async def _change(self, race_id: str, memory: Memory, decide: Callable[[Race], tuple[Race, Message]]) -> Message:
        """Change a race as decided, and return the answer. Raises: Refusal."""
        with refusing_failures("race not stored"):
            for _ in range(ATTEMPTS):
                race = await self._find(race_id)
                after, answer = decide(race)
                if await self._store.put(race, after, memory.step(answer)):
                    self._bus.publish(RaceChanged(race_id))
                    return answer
        raise Refusal(Code.UNAVAILABLE, "The server is too busy. Nothing was changed; please try again.")

    async def _join(self, race_id: str, caller: Caller, memory: Memory, answer: Message) -> Message:
        """Raises: Refusal."""
        return await self._change(race_id, memory, lambda race: (joined(race, caller.player, self._now_ms()), answer))

    async def _open_next(self, command: OpenRace, caller: Caller, memory: Memory) -> Message:
        """Open the race after another one, unless that is done: then join it. Raises: Refusal, StorageError."""
        while not (before := await self._find(command.after)).next:
            race = await self._new(before.game, caller)
            after = followed(before, caller.identity, self._now_ms(), race.id)
            answer = RaceOpened(command.id, race.id)
            steps = (*changing_steps(before, after), memory.step(answer))
            if await self._store.open(race, self._now_ms(), *steps):
                self._bus.publish(RaceChanged(before.id))
                return answer
        return await self._join(before.next, caller, memory, RaceOpened(command.id, before.next))

    async def _new(self, game: str, caller: Caller) -> Race:
        """Return a new race with its first player, and with puzzles of the game, or of all games in turn.

        Raises: Refusal.
        """
        games = [self._library.find(game)] if game else [*self._library.by_game.values()]
        ids: list[str] = []
        async for number in in_slices(range(PUZZLES)):
            ids.append(next_puzzle(games[number % len(games)], ids, self._random_below))
        puzzles = tuple(f"{games[number % len(games)].game.name}/{each}" for number, each in enumerate(ids))
        race = Race(secrets.token_urlsafe(6), game, puzzles, self._duration_ms)
        return joined(race, caller.player, self._now_ms())

    # Reading races

    async def _find(self, race_id: str) -> Race:
        """Return a race. Raises: Refusal, StorageError."""
        race = await self._store.find(race_id)
        if race is None:
            raise Refusal(Code.UNKNOWN_RACE, "There is no such race. Races are kept for a day.")
        return race

    async def _show(self, race_id: str) -> None:
        """Send a race to those who watch it. Raises: StorageError."""
        watched = self._watched.get(race_id)
        if watched is not None and (race := await self._store.find(race_id)) is not None:
            watched.race = race
            frame = frame_of(self._view(race))
            async for caller in in_slices(tuple(watched.callers)):
                caller.deliver((frame,))

    def _presence_changed(self, identity: IdentityId) -> None:
        """Show the races anew that another player may have to start now."""
        watched = self._watched.items()
        self._stale.ask([name for name, each in watched if each.race and each.race.waits_for(identity)])

    def _view(self, race: Race) -> RaceView:
        now_ms = self._now_ms()
        return RaceView(
            race.id,
            race.game,
            race.starts_ms - now_ms if race.starts_ms else None,
            max(0, race.ends_ms - now_ms),
            tuple(map(_racer, race.runs.values())),
            self._starter_of(race),
            race.next,
        )

    def _starter_of(self, race: Race) -> IdentityId | None:
        """Return the first player who is online."""
        players = (run.player.id for run in race.runs.values())
        return next(filter(self._presence.is_online, players), None)

    def _puzzle(self, race: Race, number: int) -> tuple[GamePuzzles, str]:
        game, _, chosen = race.puzzles[number - 1].partition("/")
        return self._library.by_game[game], chosen

    def _posed(self, race: Race, number: int) -> tuple[StormPuzzle, ...]:
        """Return a puzzle by its number, if there are so many."""
        return (pose(*self._puzzle(race, number), number),) if number <= len(race.puzzles) else ()


class _Watched:
    """A race that connections to this node watch."""

    def __init__(self) -> None:
        self.callers: dict[Caller, None] = {}
        self.race: Race | None = None
        """As it was when last read."""


def _racer(run: Run) -> Racer:
    return Racer(run.player, run.score, run.combo)

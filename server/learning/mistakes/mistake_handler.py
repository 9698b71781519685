"""The handler of mistakes: which one is due, and what the review says about another move there."""

import msgspec

from millrace.protocol import (
    Code,
    GetMistake,
    IdentityId,
    JudgedPly,
    Line,
    Mistake,
    MistakePosed,
    MistakeTried,
    MistakeVerdict,
    Scope,
    TryMistake,
)
from millrace.protocol.newer_fields import read_json
from millrace.protocol.refusal import Refusal

from ...callers.answers import Answers, Memory, require_first
from ...callers.caller import Caller, account_of
from ...callers.feature import Feature, Route
from ...callers.limit import HOUR_MS, Limit
from ...callers.limits import Limits
from ...journal.unavailable import refusing_failures
from ...matches.fair_play import require_fair
from ...matches.named_games import require_game
from ...matches.referee import play_text
from ...rooms.rooms import Rooms
from ...runtime.slices import in_slices
from ...runtime.system_clock import NowMs
from .mistake_store import MistakeStore
from .mistakes import OwnMistake, Place, after, due, mistakes_in, verdict_on

MOST_MATCHES = 50
"""The latest reviewed matches of a player, whose mistakes come back."""

MISTAKE_REQUESTS = Limit(
    name="mistake_requests",
    counts="mistakes requested, and moves in them",
    refusal="You can ask for your mistakes and try them {bound} times an hour.",
    window_ms=HOUR_MS,
    account=1_000,
    address=5_000,
)

_plies: msgspec.json.Decoder[tuple[JudgedPly, ...]] = msgspec.json.Decoder(tuple[JudgedPly, ...])


class MistakeHandler(Feature):
    """Answers players about their mistakes."""

    def __init__(self, rooms: Rooms, store: MistakeStore, now_ms: NowMs, limits: Limits, answers: Answers) -> None:
        self._rooms = rooms
        self._store = store
        self._now_ms = now_ms
        self._limits = limits
        self.routes = (
            Route(GetMistake, self.get, Scope.READ),
            Route(TryMistake, answers.once(self.try_move)),
        )

    async def get(self, command: GetMistake, caller: Caller) -> None:
        """Answer with the oldest mistake that is due. Raises: Refusal."""
        self._admit(command, caller)
        with refusing_failures("mistakes not read", "look this up"):
            mistakes = await self._mistakes(caller.identity, command.game)
            attempts = await self._store.attempts(caller.identity)
        left = due(mistakes, attempts, self._now_ms())
        posed = await self._posed(left[0]) if left else None
        caller.send(MistakePosed(command.id, command.game, len(left), posed))

    async def try_move(self, command: TryMistake, caller: Caller, memory: Memory) -> MistakeTried:
        """Judge a move by the review, and store whether the mistake is solved or missed. Raises: Refusal."""
        self._admit(command, caller)
        place, now_ms = Place(command.match, command.ply), self._now_ms()
        with refusing_failures("mistake not stored"):
            mistakes = await self._mistakes(caller.identity, command.game)
            judged = next((each.judged for each in mistakes if each.place == place), None)
            if judged is None:
                raise Refusal(Code.UNKNOWN_PUZZLE, "The review of your match found no mistake there.")
            verdict = verdict_on(judged, await self._move(command, caller))
            attempts = await self._store.attempts(caller.identity)
            attempt = after(verdict, attempts.get(place), now_ms)
            known = attempts if attempt is None else {**attempts, place: attempt}
            is_told = verdict in (MistakeVerdict.BEST, MistakeVerdict.SHOWN)
            best = judged.best.moves if is_told else ()
            answer = MistakeTried(command.id, command.game, verdict, best, len(due(mistakes, known, now_ms)))
            if attempt is None:
                await memory.keep(answer)
            else:
                require_first(await self._store.put(caller.identity, place, attempt, memory.step(answer)))
            return answer

    def _admit(self, command: GetMistake | TryMistake, caller: Caller) -> None:
        """Count a request. Raises: Refusal for a guest, an unknown game, or too many requests."""
        account_of(caller)
        require_game(command.game)
        self._limits.use(MISTAKE_REQUESTS, caller)

    async def _posed(self, mistake: OwnMistake) -> Mistake:
        """Return a mistake with the moves that led there. Raises: Refusal."""
        (match_id, ply), judged = mistake
        match = (await self._rooms.find(match_id)).match
        line = Line(match.created.game, match.created.setup, moves=match.state.line[ply].move_texts)
        return Mistake(match_id, ply, line, judged.seat, judged.move, judged.judgement, judged.loss)

    async def _move(self, command: TryMistake, caller: Caller) -> str:
        """Return the text of the move, or nothing if none was played. Raises: Refusal."""
        match = (await self._rooms.find(command.match)).match
        before = match.state.line[command.ply]
        require_fair(before, caller.identity, await self._rooms.played_by(caller.identity))
        return before.format_move(play_text(before, command.move).move) if command.move else ""

    async def _mistakes(self, identity: IdentityId, game: str) -> list[OwnMistake]:
        """Return a player's mistakes in their latest reviewed matches, the oldest first. Raises: StorageError."""
        reviewed = await self._store.reviewed(identity, game, MOST_MATCHES)
        found: list[OwnMistake] = []
        async for match, seat, body in in_slices(reversed(reviewed)):
            plies = read_json(body, _plies)
            found += mistakes_in(match, seat, plies)
        return found

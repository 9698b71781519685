"""The desk for the archive: matches that are over, by players, game, result and date; how two have done against each
other.
"""

from collections.abc import Sequence
from typing import Any

from ..identity.caller import Caller
from ..identity.find_player import FindPlayer
from ..journal.unavailable import refusing_failures
from ..matches.match import HOUSE_BOTS
from ..protocol import (
    Code,
    Crosstable,
    FoundMatches,
    GameScore,
    GetCrosstable,
    Player,
    Scope,
    SearchMatches,
)
from ..protocol.refusal import Refusal
from ..routing.feature import Feature
from ..routing.routes import Route
from .past_matches import past_matches
from .store import EARLIEST_MS, ArchiveStore, Place, Wanted

SHOWN_MATCHES = 25
"""So many at once; the answer says where to go on."""
CROSSTABLE_MATCHES = 10


class Finder:
    """Turns what people ask for into what is looked for."""

    def __init__(self, find_player: FindPlayer) -> None:
        self._find_player = find_player

    async def player(self, name: str) -> Player:
        """Return whom a name means: the owner of an account, or a bot of the house by its id or name.

        Raises: Refusal, StorageError.
        """
        for bot in HOUSE_BOTS.values():
            if name.casefold() in (bot.id, bot.name.casefold()):
                return bot
        player = await self._find_player(name)
        if player is None:
            raise Refusal(Code.UNKNOWN_PLAYER, f"Nobody here is called {name}.")
        return player

    async def wanted(self, command: SearchMatches, own: Player | None) -> Wanted:
        """Return what a search asks for; `own` is who asks, None for nobody. Raises: Refusal, StorageError."""
        if command.imported:
            return Wanted(behind=_place_of(command), imported_by=None if own is None else own.id)
        names = [name for name in (command.player, command.opponent) if name]
        players = [await self.player(name) for name in names]
        if command.mine and own is not None:
            players = [own, *players][:2]
        # Bots have far more matches than people: to begin with the person's is quicker.
        if len(players) == 2 and command.result is None and players[0].level is not None:
            players.reverse()
        if command.result in ("won", "lost") and not players:
            raise Refusal(Code.UNKNOWN_PLAYER, "Whose? Name a player to look for matches won or lost.")
        one, other = [*(player.id for player in players), None, None][:2]
        since_ms = EARLIEST_MS if command.since_ms is None else command.since_ms
        return Wanted(one, other, command.game, command.result, command.rated, since_ms, _place_of(command))


class ArchiveHandler(Feature):
    """Answers questions about matches that are over."""

    def __init__(self, store: ArchiveStore, finder: Finder) -> None:
        self._store = store
        self._finder = finder

    @property
    def routes(self) -> Sequence[Route[Any]]:
        """Searches and crosstables."""
        return Route(SearchMatches, self.search, Scope.READ), Route(GetCrosstable, self.crosstable, Scope.READ)

    async def search(self, command: SearchMatches, caller: Caller) -> None:
        """Answer with the matches that a search finds. Raises: Refusal."""
        with refusing_failures("archive not read", "look this up"):
            caller.send(await self._search(command, caller.player))

    async def crosstable(self, command: GetCrosstable, caller: Caller) -> None:
        """Answer with the results of two players against each other. Raises: Refusal."""
        with refusing_failures("archive not read", "look this up"):
            caller.send(await self._crosstable(command, caller.player))

    async def _search(self, command: SearchMatches, own: Player) -> FoundMatches:
        wanted = await self._finder.wanted(command, own)
        found = await self._store.search(wanted, SHOWN_MATCHES + 1)
        shown = found[:SHOWN_MATCHES]
        further = shown[-1].place.text if len(found) > SHOWN_MATCHES else ""
        return FoundMatches(command.id, past_matches(shown), further)

    async def _crosstable(self, command: GetCrosstable, own: Player) -> Crosstable:
        one = own if command.player is None else await self._finder.player(command.player)
        other = await self._finder.player(command.opponent)
        # Through the matches of a person, of which there are fewer.
        if one.level is not None and other.level is None:
            scores = [_seen_by_other(score) for score in await self._store.crosstable(other.id, one.id)]
        else:
            scores = list(await self._store.crosstable(one.id, other.id))
        seldom, often = (other, one) if one.level is not None else (one, other)
        latest = await self._store.search(Wanted(seldom.id, often.id), CROSSTABLE_MATCHES) if scores else ()
        return Crosstable(command.id, (one, other), tuple(scores), past_matches(latest))


def _seen_by_other(score: GameScore) -> GameScore:
    return GameScore(score.game, score.lost, score.drawn, score.won)


def _place_of(command: SearchMatches) -> Place:
    """Return where a search begins. Raises: Refusal."""
    until = Place() if command.until_ms is None else Place(command.until_ms)
    if not command.cursor:
        return until
    try:
        return min(until, Place.parse(command.cursor))
    except ValueError as error:
        raise Refusal(Code.MALFORMED, str(error)) from None

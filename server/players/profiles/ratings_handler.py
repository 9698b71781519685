"""The handler of ratings: the leaders of a kind of match, and the ratings and latest matches of a player."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from millrace.protocol import (
    Code,
    GetLeaders,
    GetPlayerRatings,
    IdentityId,
    KindRating,
    Leader,
    Leaders,
    Player,
    PlayerRatings,
    RatingKind,
    RatingPoint,
    Scope,
)
from millrace.protocol.refusal import Refusal

from ...archive.archive_query import ArchiveQuery
from ...archive.archive_store import ArchiveStore, past_matches
from ...callers.caller import Caller, FindPlayer
from ...callers.feature import Feature, Route
from ...journal.unavailable import refusing_failures
from ...matches.built_in_bots import BUILT_IN_BOTS
from ...ratings.rating import LEADER_DEVIATION, LEADER_MATCHES, POINTS_PER_MU, Rating
from ...ratings.rating_store import RatingStore, StoredChange, StoredRating
from ...ratings.ratings import Ratings
from ..accounts.account_store import AccountStore
from .profile_store import ProfileStore

SHOWN_LEADERS = 100
SHOWN_MATCHES = 20
SHOWN_CHANGES = 500
"""Maximum number of rating changes in the history, for all kinds of match together."""


@dataclass(eq=False)
class RatingsHandler(Feature):
    """The leaders of each kind of match, and the ratings of each player."""

    _store: RatingStore
    _profiles: ProfileStore
    _keeper: Ratings
    _accounts: AccountStore
    _archive: ArchiveStore
    _find_player: FindPlayer

    def __post_init__(self) -> None:
        self.routes = (
            Route(GetLeaders, self.get_leaders, Scope.READ),
            Route(GetPlayerRatings, self.get_player_ratings, Scope.READ),
        )

    async def get_leaders(self, command: GetLeaders, caller: Caller) -> None:
        """Answer with the best players of a kind of match. Raises: Refusal."""
        with refusing_failures("ratings not read", "look this up"):
            caller.send(await self._leaders(command))

    async def get_player_ratings(self, command: GetPlayerRatings, caller: Caller) -> None:
        """Answer with the ratings and latest matches of a player. Raises: Refusal."""
        with refusing_failures("ratings not read", "look this up"):
            caller.send(await self._player_ratings(command, caller.identity))

    async def _leaders(self, command: GetLeaders) -> Leaders:
        # Half a point more, since deviations are rounded for display.
        most_sigma = (LEADER_DEVIATION + 0.5) / POINTS_PER_MU
        people, others_bots = [
            await self._profiles.leaders(
                command.kind, bots=bots, most_sigma=most_sigma, least_matches=LEADER_MATCHES, most=SHOWN_LEADERS
            )
            for bots in (False, True)
        ]
        leaders = tuple(_leader(player, rating) for player, rating in people)
        bots = [_leader(bot, self._keeper.find(bot.id, command.kind)) for bot in BUILT_IN_BOTS.values()]
        bots += [_leader(player, rating) for player, rating in others_bots]
        bots.sort(key=lambda leader: -leader.rating)
        return Leaders(command.id, command.kind, leaders, tuple(bots), LEADER_DEVIATION, LEADER_MATCHES)

    async def _player_ratings(self, command: GetPlayerRatings, reader: IdentityId) -> PlayerRatings:
        player, since_ms = await self._find(command.name)
        stored = await self._store.profile(player.id)
        history = await self._store.history(player.id, SHOWN_CHANGES)
        found = await self._archive.search(ArchiveQuery(player.id), SHOWN_MATCHES)
        latest = past_matches(found, reader)
        return PlayerRatings(command.id, player, since_ms, _ratings(stored, history), latest)

    async def _find(self, name: str) -> tuple[Player, int | None]:
        """Return a player and when the account was created. Raises: Refusal, StorageError."""
        bot = BUILT_IN_BOTS.get(IdentityId(name))
        if bot is not None:
            return bot, None
        player = await self._find_player(name)
        account = None if player is None else await self._accounts.find(player.id)
        if account is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "No player is called {name}; check the spelling.", name=name)
        return account.player, account.created_ms


def _leader(player: Player, rating: Rating) -> Leader:
    return Leader(player, rating.points, rating.deviation, rating.matches)


def _ratings(stored: Sequence[StoredRating], history: Sequence[StoredChange]) -> tuple[KindRating, ...]:
    points: dict[RatingKind, list[RatingPoint]] = defaultdict(list)
    for row in history:
        points[row.kind].append(RatingPoint(row.at_ms, row.after.points, row.after.deviation, row.match))
    return tuple(
        KindRating(
            kind, rating.points, rating.deviation, rating.is_provisional, rating.matches, tuple(points.get(kind, ()))
        )
        for _, kind, rating in stored
    )

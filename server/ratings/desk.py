"""The desk for ratings: the leaders of a kind of match, and what there is to see of a player.

Imported by `server.door.session` and `server.house`.
"""

from collections import defaultdict
from collections.abc import Sequence

import structlog

from engine.opponents import OPPONENTS
from server.accounts.store import AccountStore
from server.journal import StorageError
from server.matches.match import bot_player
from server.meeting.seeks import FindPlayer
from server.protocol import (
    Code,
    Created,
    Ended,
    GetLeaders,
    GetProfile,
    KindRating,
    Leader,
    Leaders,
    PastMatch,
    Player,
    Profile,
    Rated,
    RatingChange,
    RatingCommand,
    RatingKind,
    RatingPoint,
    Seated,
)
from server.ratings.formula import LEADER_DEVIATION, LEADER_MATCHES, POINTS_PER_MU, Rating
from server.ratings.keeper import RatingKeeper
from server.ratings.store import HistoryRow, Outline, RatingStore, StoredRating
from server.refusal import Refusal

log = structlog.get_logger()

SHOWN_LEADERS = 100
SHOWN_MATCHES = 20
SHOWN_CHANGES = 500
"""So many of the latest changes, of all kinds together, make the graphs."""


class RatingDesk:
    """What sessions ask for about ratings."""

    def __init__(
        self, store: RatingStore, keeper: RatingKeeper, accounts: AccountStore, find_player: FindPlayer
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._accounts = accounts
        self._find_player = find_player

    async def handle(self, command: RatingCommand) -> Leaders | Profile:
        """Return the answer to a question. Raises: Refusal."""
        try:
            match command:
                case GetLeaders():
                    return await self._leaders(command)
                case GetProfile():
                    return await self._profile(command)
        except StorageError as error:
            log.error("ratings not read", error=str(error))
            raise Refusal(Code.UNAVAILABLE, "The server cannot look this up now; please try again.") from None

    async def _leaders(self, command: GetLeaders) -> Leaders:
        # Half a point more, since that is shown as this deviation.
        most_sigma = (LEADER_DEVIATION + 0.5) / POINTS_PER_MU
        people, others_bots = [
            await self._store.leaders(
                command.kind, bots=bots, most_sigma=most_sigma, least_matches=LEADER_MATCHES, most=SHOWN_LEADERS
            )
            for bots in (False, True)
        ]
        leaders = tuple(_leader(player, rating) for player, rating in people)
        bots = [_leader(bot, self._keeper.find(bot.id, command.kind)) for bot in BOTS]
        bots += [_leader(player, rating) for player, rating in others_bots]
        bots.sort(key=lambda leader: -leader.rating)
        return Leaders(command.id, command.kind, leaders, tuple(bots), LEADER_DEVIATION, LEADER_MATCHES)

    async def _profile(self, command: GetProfile) -> Profile:
        player, since_ms = await self._find(command.name)
        stored = await self._store.profile(player.id)
        history = await self._store.history(player.id, SHOWN_CHANGES)
        outlines = await self._store.outlines(player.id, SHOWN_MATCHES)
        matches = (_past_match(outline) for outline in outlines)
        return Profile(command.id, player, since_ms, _ratings(stored, history), tuple(matches))

    async def _find(self, name: str) -> tuple[Player, int | None]:
        """Return a player and when the account was made. Raises: Refusal, StorageError."""
        bot = next((bot for bot in BOTS if bot.id == name), None)
        if bot is not None:
            return bot, None
        player = await self._find_player(name)
        account = None if player is None else await self._accounts.find(player.id)
        if account is None:
            raise Refusal(Code.UNKNOWN_PLAYER, f"Nobody here is called {name}.")
        return account.player, account.created_ms


BOTS = tuple(bot_player(name) for name in OPPONENTS)


def _leader(player: Player, rating: Rating) -> Leader:
    return Leader(player, rating.points, rating.deviation, rating.matches)


def _ratings(stored: Sequence[StoredRating], history: Sequence[HistoryRow]) -> tuple[KindRating, ...]:
    points: dict[RatingKind, list[RatingPoint]] = defaultdict(list)
    for row in history:
        points[row.kind].append(RatingPoint(row.at_ms, row.after.points, row.after.deviation, row.match))
    return tuple(
        KindRating(
            kind, rating.points, rating.deviation, rating.is_provisional, rating.matches, tuple(points.get(kind, ()))
        )
        for _, kind, rating in stored
    )


def _past_match(outline: Outline) -> PastMatch:
    created = outline.events[0]
    assert isinstance(created, Created)
    players: list[Player | None] = [None] * len(created.seats)
    ranks = None
    changes: tuple[RatingChange | None, ...] = ()
    for event in outline.events:
        match event:
            case Seated(seat, player):
                players[seat] = player
            case Ended():
                ranks = event.ranks
            case Rated():
                changes = event.changes
    return PastMatch(
        outline.match, outline.ended_ms, created.game, created.clock, created.rated, tuple(players), ranks, changes
    )

"""The level of the bot that suits a player: by the rating, or by the latest results against bots."""

from collections.abc import Sequence

import pytest

from millrace.protocol import IdentityId, MatchId, PastMatch, Player, Speed
from millrace.server.archive.archive_query import ArchiveQuery
from millrace.server.archive.archive_store import ArchivedMatch
from millrace.server.lobby.fitting_levels import FittingLevels, level_after
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.ratings.ratings import Ratings

ANN = Player(IdentityId("ann"), "Ann", registered=True)
BEN = Player(IdentityId("ben"), "Ben")


def past(opponent: Player, ranks: tuple[int, ...] | None, own: int = 0) -> PastMatch:
    """Return a match of Ann on a seat against an opponent."""
    players = (ANN, opponent) if own == 0 else (opponent, ANN)
    return PastMatch(MatchId("m"), 0, "morris", None, False, players, ranks, ())


@pytest.mark.parametrize(
    ("latest", "level"),
    [
        ([], 1),
        ([past(bot_player(3), (1, 2))], 4),
        ([past(bot_player(3), (1, 2), own=1)], 2),
        ([past(bot_player(3), (1, 1))], 3),
        ([past(bot_player(8), (1, 2))], 8),
        ([past(bot_player(1), (2, 1))], 1),
        ([past(bot_player("hunter"), (2, 1))], 4),
        ([past(bot_player(3), None), past(bot_player(6), (1, 2))], 7),
        ([past(BEN, (1, 2)), past(bot_player(2), (1, 2))], 3),
    ],
    ids=["none", "won", "lost", "drawn", "highest", "lowest", "personality", "without a result", "against a person"],
)
def test_the_latest_result_against_a_bot_decides(latest: Sequence[PastMatch], level: int) -> None:
    assert level_after(latest, ANN.id) == level


class SettledRatings(Ratings):
    """Ratings by identity, settled at one speed."""

    def __init__(self, points: dict[str, int]) -> None:
        self._points = points

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        assert speed is Speed.RAPID
        return self._points[identity]

    def settled_speed(self, identity: IdentityId, game: str, seats: int) -> Speed | None:
        return Speed.RAPID


class NoArchive:
    """An archive that must not be asked."""

    async def search(self, wanted: ArchiveQuery, most: int) -> Sequence[ArchivedMatch]:
        raise AssertionError


async def test_a_settled_rating_decides_before_results() -> None:
    bots = {f"bot-{level}": 900 + 200 * level for level in range(1, 9)}
    levels = FittingLevels(NoArchive(), SettledRatings({**bots, "ann": 1_750}))  # type: ignore[arg-type]  # it is not asked
    assert await levels.level_for(ANN, "morris") == 4

"""How matches rank by their players, and which may be featured."""

import pytest

from millrace.protocol import ClockSettings, IdentityId, MatchId, PairingRequest, Player, Seated, SeatRating
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.creation import open_paired
from millrace.server.matches.fold import replay
from millrace.server.matches.match import Match
from millrace.server.spectating.ranking import MatchKind, MatchRank, may_be_featured, rank_of

ANN = (Player(IdentityId("ann"), "Ann", registered=True), 1700)
BEN = (Player(IdentityId("ben"), "Ben", registered=True), 1501)
PROGRAM = (Player(IdentityId("prog"), "Prog", registered=True, bot=True), 2000)
GUEST, OTHER = (Player(IdentityId("guest-1"), "Guest"), None), (Player(IdentityId("guest-2"), "Other"), None)
BOT = (bot_player(8), 1900)

Rated = tuple[Player, int | None]


def match_of(*seated: Rated, clock: ClockSettings | None = None) -> Match:
    players = [player for player, _ in seated]
    events = open_paired(PairingRequest("morris", 2, clock, False), players, 0)
    recorded = []
    for seq, event in enumerate(events, 1):
        if isinstance(event, Seated):
            rating = seated[event.seat][1]
            event = Seated(event.seat, event.player, None if rating is None else SeatRating(rating))  # noqa: PLW2901
        recorded.append(Recorded(seq, Entry(event, 0)))
    return replay(MatchId("m"), recorded)


@pytest.mark.parametrize(
    ("seated", "rank"),
    [
        ((ANN, BEN), MatchRank(MatchKind.RATED, 1600)),
        ((ANN, GUEST), MatchRank(MatchKind.MIXED, 1700)),
        ((ANN, PROGRAM), MatchRank(MatchKind.MIXED, 1700)),
        ((ANN, BOT), MatchRank(MatchKind.MIXED, 1700)),
        ((GUEST, OTHER), MatchRank(MatchKind.GUESTS, 0)),
        ((GUEST, BOT), MatchRank(MatchKind.GUESTS, 1900)),
        ((PROGRAM, BOT), MatchRank(MatchKind.PROGRAMS, 1950)),
        ((BOT, BOT), MatchRank(MatchKind.BOTS, 1900)),
    ],
)
def test_a_match_ranks_by_the_people_in_it_and_their_ratings(seated: tuple[Rated, ...], rank: MatchRank) -> None:
    assert rank_of(match_of(*seated)) == rank


def test_people_and_programs_who_play_each_other_may_be_featured_unless_by_correspondence() -> None:
    assert all(map(may_be_featured, (match_of(ANN, BEN), match_of(GUEST, OTHER), match_of(PROGRAM, ANN))))
    assert not may_be_featured(match_of(ANN, BEN, clock=ClockSettings(3 * 86_400_000, renews=True)))


def test_practice_against_a_bot_or_oneself_is_not_featured() -> None:
    assert not any(map(may_be_featured, (match_of(ANN, BOT), match_of(BOT, BOT), match_of(ANN, ANN))))

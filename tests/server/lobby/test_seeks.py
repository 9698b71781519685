"""The list of seeks on a fake clock: seeks of disconnected players are hidden until they are back."""

from millrace.protocol import ClockSettings, CommandId, Create, IdentityId, MatchId, Player, RatingRange, SeatPlan
from millrace.server.callers.presence import Presence
from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.events import MatchChanged, SeeksChanged
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.lobby.seeks import HIDDEN_AFTER_MS, SeekList
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import replay
from millrace.server.matches.match import Match
from millrace.server.players.profiles.blocks import Blocks
from millrace.server.rooms.room import Room
from tests.server.lobby.doubles import EqualRatings, FakeSession
from tests.server.players.profiles.memory_blocks import MemoryBlocks

ANN = Player(IdentityId("guest-ann"), "Ann")
BEN = Player(IdentityId("guest-ben"), "Ben")
MATCH = MatchId("m1")
A_WEEK = ClockSettings(7 * 86_400_000, renews=True)


class Rooms:
    """Rooms with one match."""

    def __init__(self) -> None:
        self.match: Match | None = None

    def peek(self, match: MatchId) -> Match | None:
        return self.match

    async def find(self, match: MatchId) -> Room:
        raise AssertionError


class Table:
    """A list with one seek, by Ann."""

    def __init__(self, clock: ClockSettings | None = None, ratings: RatingRange | None = None) -> None:
        self.now_ms = 1_000
        self.bus, self.presence, self.rooms = (bus := LocalBus()), Presence(bus), Rooms()
        self.changes = 0
        self.bus.subscribe(SeeksChanged, self._note)
        self.seeks = SeekList(
            self.rooms,
            self.presence,
            Blocks(MemoryBlocks(), bus),
            EqualRatings(),
            self.bus,
            lambda: self.now_ms,
        )
        create = Create(CommandId("c"), "morris", PLANS, clock=clock, listed=True, ratings=ratings)
        events = open_match(create, ANN, (0, 1), 0)
        self.rooms.match = replay(MATCH, [Recorded(seq, Entry(event, 0)) for seq, event in enumerate(events, 1)])
        self.bus.publish(MatchChanged(MATCH))
        self.changes = 0

    @property
    def is_listed(self) -> bool:
        return bool(self.seeks.seeks_for(BEN))

    def pass_time(self, duration_ms: int) -> None:
        self.now_ms += duration_ms
        self.seeks.update_hidden()

    def _note(self, _: SeeksChanged) -> None:
        self.changes += 1


PLANS = (SeatPlan("me"), SeatPlan("open"))


def test_a_seek_of_a_disconnected_player_is_hidden_until_they_are_back() -> None:
    table = Table()
    session = FakeSession(ANN.id)
    table.presence.add(session)
    table.pass_time(HIDDEN_AFTER_MS)
    assert table.is_listed
    table.presence.remove(session)
    table.pass_time(0)
    table.pass_time(HIDDEN_AFTER_MS - 1)
    assert table.is_listed
    assert table.changes == 0
    table.pass_time(1)
    assert not table.is_listed
    assert table.changes == 1
    assert table.seeks.seeks_for(ANN) != ()
    table.presence.add(session)
    table.pass_time(1)
    assert table.is_listed
    assert table.changes == 2


def test_a_correspondence_seek_stays_listed_while_its_creator_is_away() -> None:
    table = Table(A_WEEK)
    table.pass_time(0)
    table.pass_time(HIDDEN_AFTER_MS)
    assert table.is_listed


def test_a_seek_shows_its_creator_and_respects_the_rating_range() -> None:
    (seek,) = Table(ratings=RatingRange(1400, 1600)).seeks.seeks_for(BEN)
    assert (seek.by, seek.rating, seek.players) == (ANN, 1500, ("Ann", ""))
    assert Table(ratings=RatingRange(1600, 1700)).seeks.seeks_for(BEN) == ()

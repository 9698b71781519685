"""Rated matches over real sockets: their changes, exactly once even after faults; leaders and profiles."""

import asyncio

import pytest

from millrace.engine.levels.opponents import OPPONENTS
from millrace.protocol import (
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    MatchId,
    Moved,
    Player,
    Rated,
    RatingKind,
    Seated,
    SeatPlan,
    Speed,
    Started,
)
from millrace.server.app.stores import open_storage
from millrace.server.journal.entries import Entry, Origin
from millrace.server.journal.journal_store import Journal
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.players.accounts.account_store import Account
from millrace.server.ratings.rating import Rating, RatingUpdate, RatingUpdates
from millrace.server.ratings.rating_store import rating_insertions
from tests.server.in_process_server import Frame, Serve, Served
from tests.server.journal.failures import failed_append
from tests.server.players.accounts.registered_players import register
from tests.server.ratings.rated_play import BOT, ME, MOVES, play, profile, rated
from tests.server.web.two_players import create
from tests.serving import PATIENCE_S

KIND = {"game": "morris", "seats": 2, "speed": "untimed"}
ANN, BEN = (Player(IdentityId(name.lower()), name, registered=True) for name in ("Ann", "Ben"))


@pytest.fixture
def served_url(url: str) -> str:
    """The tests of this module run on every kind of database."""
    return url


async def test_a_rated_match_changes_both_ratings_and_their_profiles_show_it(served: Served) -> None:
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    match = await play([ann, ben])
    told = await rated(ben)
    assert [(each["before"], each["after"]) for each in told["changes"]] == [(1500, 1421), (1500, 1579)]
    shown = await profile(ben, "ben_miller")
    assert shown["player"] == ben.player
    (rating,) = shown["ratings"]
    assert (rating["kind"], rating["rating"], rating["matches"]) == (KIND, 1579, 1)
    assert rating["provisional"]
    assert [point[1:] for point in rating["history"]] == [[1579, 242, match]]
    (past,) = shown["matches"]
    assert (past["match"], past["ranks"], past["changes"]) == (match, [2, 1], told["changes"])
    assert [player["name"] for player in past["players"]] == ["Ann_Miller", "Ben_Miller"]


async def test_a_player_takes_a_seat_with_the_current_rating(served: Served) -> None:
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    await play([ann, ben])
    await rated(ben)
    match = await create(ben, ME, BOT)
    await ben.say("watch", match=match)
    missed = await ben.hear_until("match_events", match=match)
    seats = [each["event"]["rating"] for each in missed["events"] if each["event"]["type"] == "seated"]
    assert seats == [{"rating": 1579, "provisional": True}, {"rating": 1200, "provisional": False}]


async def test_guests_have_no_rating_and_casual_matches_change_none(served: Served) -> None:
    ann, guest = await register(served, "Ann_Miller"), await served.visitor()
    match = await play([ann, guest], rated=False)
    shown = await profile(ann, "Ann_Miller")
    assert shown["ratings"] == []
    assert [each["match"] for each in shown["matches"]] == [match]
    seated = [each["event"] for frame in guest.read if frame["type"] == "match_events" for each in frame["events"]]
    assert [event["rating"] for event in seated if event["type"] == "seated"][:1] == [
        {"rating": 1500, "provisional": True}
    ]
    await guest.say("watch", match=match)
    events = (await guest.hear_until("match_events", match=match))["events"]
    assert [each["event"]["type"] for each in events if each["event"]["type"] == "rated"] == []


async def test_a_match_that_does_not_count_says_why(served: Served) -> None:
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    await play([ann, ben], moves=MOVES[:2])
    told = await rated(ben)
    assert (told["changes"], told["reason"]) == ([None, None], "too_short")
    assert told["explanation"] == "the match was too short"
    assert (await profile(ann, "Ann_Miller"))["ratings"] == []


async def test_repeated_quick_defeats_stop_counting(served: Served) -> None:
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    reasons = []
    for _ in range(4):
        await play([ann, ben])
        reasons.append((await rated(ben))["reason"])
    assert reasons == [None, None, None, "quick_wins"]


async def test_two_matches_of_a_player_that_end_at_once_both_count(served: Served) -> None:
    people = [await register(served, name) for name in ("Ann_Miller", "Ben_Miller", "Cem_Miller")]
    again = await served.visitor(people[0].token)
    await asyncio.gather(play([people[0], people[1]]), play([again, people[2]]))
    await asyncio.gather(rated(people[1]), rated(people[2]))
    (rating,) = (await profile(again, "Ann_Miller"))["ratings"]
    assert (rating["matches"], len(rating["history"])) == (2, 2)
    assert rating["rating"] == rating["history"][-1][1]


async def test_bots_have_ratings_and_profiles(served: Served) -> None:
    ann = await register(served, "Ann_Miller")
    match = await create(ann, ME, BOT, rated=True)
    await ann.say("watch", match=match)
    for move in ("g1", "g4"):
        await ann.hear_until("turn", match=match)
        await ann.ask("play", match=match, seat=0, move=move)
    await ann.hear_until("turn", match=match)
    await ann.ask("resign", match=match, seat=0)
    told = await rated(ann)
    assert told["changes"][1]["before"] == 1200 < told["changes"][1]["after"]
    shown = await profile(ann, "bot-3")
    assert (shown["player"]["level"], shown["since_ms"]) == (3, None)
    assert [each["rating"] for each in shown["ratings"]] == [told["changes"][1]["after"]]
    for unknown in ("bot-9", "Nobody_Here"):
        assert (await profile(ann, unknown))["code"] == "unknown_player"


async def store_ended(url: str, now_ms: int) -> None:
    """Store a rated match whose server went away between its end and its rating."""
    stores = await open_storage(url)
    for player in (ANN, BEN):
        assert await stores.accounts.create(Account(player.id, player.name, "hash", now_ms), player.id, 0)
    events: list[Event] = [
        Created("morris", "", (SeatPlan("me"), SeatPlan("open")), None, rated=True),
        Seated(0, ANN),
        Seated(1, BEN),
        Started(),
        *(Moved(number % 2, move, None) for number, move in enumerate(MOVES)),
        Ended((1, 2), "resignation", "Black resigned"),
    ]
    entries = [Entry(event, now_ms) for event in events]
    assert await stores.journal.append(MatchId("m1"), 0, entries, Origin("ann", CommandId("c")))
    await stores.journal.beat("node", now_ms)
    await stores.close()


async def test_a_match_that_a_crash_left_unrated_is_rated_when_loaded(serve: Serve, served_url: str) -> None:
    await store_ended(served_url, 1_000_000)
    served: Served = await serve(lambda: 1_000_000)
    visitor = await served.visitor()
    await visitor.say("watch", match="m1")
    assert [each["after"] for each in (await rated(visitor))["changes"]] == [1579, 1421]
    assert (await profile(visitor, "Ann"))["ratings"][0]["matches"] == 1


async def test_a_match_that_a_crash_left_unrated_is_rated_once_unwatched(serve: Serve, served_url: str) -> None:
    await store_ended(served_url, 1_000_000)
    for _ in range(2):
        served: Served = await serve(lambda: 1_000_000)
        visitor = await served.visitor()
        async with asyncio.timeout(PATIENCE_S):
            ratings: list[Frame] = []
            while not ratings:
                ratings = (await profile(visitor, "Ann"))["ratings"]
        assert ratings[0]["matches"] == 1
    stores = await open_storage(served_url)
    events = [each.entry.event for each in await stores.journal.load(MatchId("m1"))]
    await stores.close()
    assert sum(isinstance(event, Rated) for event in events) == 1


async def test_a_rating_that_cannot_be_stored_is_stored_later(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    append, failures = Journal.append, ["the disk is full"]

    def fail_once(*arguments: object, **options: object) -> asyncio.Future[bool]:
        if isinstance(arguments[3][0].event, Rated) and failures:  # type: ignore[index]
            return failed_append(failures.pop())
        return append(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "append", fail_once)
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    await play([ann, ben])
    assert [each["after"] for each in (await rated(ben))["changes"]] == [1421, 1579]
    assert failures == []


async def test_the_leaders_are_players_with_certain_ratings_beside_the_bots(serve: Serve, served_url: str) -> None:
    await store_ended(served_url, 1_000_000)
    stores = await open_storage(served_url)
    kind = RatingKind("mingmang", 2, Speed.RAPID)
    certain, fresh = Rating(30.0, 3.0, 30), Rating(40.0, 8.0, 2)
    updates = [
        RatingUpdate(seat, player.id, 1, Rating(), rating)
        for seat, (player, rating) in enumerate(((ANN, certain), (BEN, fresh), (bot_player(8), Rating(20.0, 1.0, 90))))
    ]
    entry = Entry(Rated((None, None)), 1_000_000)
    match = MatchId("m1")
    insertions = rating_insertions(match, entry.at_ms, RatingUpdates(kind, 9, tuple(updates)))
    assert await stores.journal.append(match, 9, [entry], insertions=insertions)
    await stores.close()
    visitor = await (await serve(lambda: 1_000_000)).visitor()
    leaders = await visitor.ask("get_leaders", kind={"game": "mingmang", "seats": 2, "speed": "rapid"})
    assert [(each["player"]["name"], each["rating"], each["deviation"]) for each in leaders["leaders"]] == [
        ("Ann", 1650, 90)
    ]
    levels = [bot["player"]["level"] for bot in leaders["bots"] if bot["player"]["id"][4:].isdecimal()]
    assert levels == [7, 6, 5, 4, 8, 3, 2, 1]
    assert {bot["player"]["name"] for bot in leaders["bots"]} == {bot_player(name).name for name in OPPONENTS}
    assert (leaders["least_matches"], leaders["most_deviation"]) == (20, 120)

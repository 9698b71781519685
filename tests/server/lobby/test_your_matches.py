"""The list of a player's own matches over real sockets: whose turn it is, and when updates come."""

from millrace.protocol import ClockSettings, MatchId, YourMatch
from millrace.server.lobby.your_matches import in_order
from millrace.server.matches.clock import DAY_MS
from tests.server.in_process_server import Frame, Serve, Served, Visitor

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
DAYS = {"initial_ms": 3 * DAY_MS, "renews": True}


async def begin(ann: Visitor, ben: Visitor, id_: str, clock: Frame | None = None) -> str:
    created = await ann.ask("create", id=id_, game="morris", seats=[ME, OPEN], clock=clock)
    await ben.ask("join", id=id_, match=created["match"])
    return str(created["match"])


async def turns_of(visitor: Visitor, *expected: tuple[str, bool]) -> list[Frame]:
    """Return the list once it has these matches, each with whether it waits for the visitor."""
    while True:
        matches: list[Frame] = (await visitor.hear_until("your_matches"))["matches"]
        if [(each["match"], each["is_your_turn"]) for each in matches] == list(expected):
            return matches


async def test_a_correspondence_match_waits_for_one_player_and_then_the_other(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await begin(ann, ben, "c", DAYS)
    for visitor in (ann, ben):
        await visitor.say("watch_your_matches")
    (listed,) = await turns_of(ann, (match, True))
    assert listed["players"] == [ann.player["name"], ben.player["name"]]
    assert (listed["your_seats"], listed["plies"], listed["clock"]["renews"]) == ([0], 0, True)
    assert listed["due_at_ms"] > ann.welcome["now_ms"] + 2 * DAY_MS
    await turns_of(ben, (match, False))
    await ann.say("play", id="p", match=match, seat=0, move="d6")
    await turns_of(ann, (match, False))
    await turns_of(ben, (match, True))


async def test_a_new_match_is_listed_until_it_is_over(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    await ann.say("watch_your_matches")
    await turns_of(ann)
    match = await begin(ann, ben, "c")
    await turns_of(ann, (match, True))
    await ben.say("resign", id="r", match=match, seat=1)
    await turns_of(ann)


async def test_an_unwatched_untimed_match_is_found_in_the_journal(serve: Serve) -> None:
    first: Served = await serve()
    ann, ben = await first.visitor(), await first.visitor()
    match = await begin(ann, ben, "c")
    second: Served = await serve()
    again = await second.visitor(ann.token)
    await again.say("watch_your_matches")
    await turns_of(again, (match, True))


async def test_matches_of_other_players_are_not_listed(served: Served) -> None:
    ann, ben, eve = [await served.visitor() for _ in range(3)]
    await begin(ann, ben, "c")
    await eve.say("watch_your_matches")
    await turns_of(eve)


async def test_a_client_that_stops_watching_gets_nothing_more(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    await ann.say("watch_your_matches")
    await turns_of(ann)
    await ann.say("watch_your_matches", on=False)
    match = await begin(ann, ben, "c")
    await ben.say("watch_your_matches")
    await turns_of(ben, (match, False))
    await ann.say("ping", nonce=1)
    assert (await ann.hear())["type"] == "pong"


def test_own_turns_come_first_most_urgent_first() -> None:
    def line(name: str, is_your_turn: bool, due_at_ms: int | None) -> YourMatch:
        clock = None if due_at_ms is None else ClockSettings(DAY_MS, renews=True)
        return YourMatch(MatchId(name), "morris", ("A", "B"), (0,), is_your_turn, 0, clock, due_at_ms)

    lines = [line("theirs", False, 1), line("untimed", True, None), line("late", True, 9), line("soon", True, 3)]
    assert [each.match for each in in_order(lines)] == ["soon", "late", "untimed", "theirs"]

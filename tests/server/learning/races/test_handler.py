"""Races over real sockets: opened, joined, started, judged, watched, finished and raced again; on two nodes too."""

from collections.abc import Callable

import pytest

from millrace.protocol import Code
from millrace.server.learning.races.race import COUNTDOWN_MS, MOST_RACERS
from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.learning.races.solved import PUZZLES, play, solve, wrong_move
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
async def served(serve: Serve, clock: SteppedClock) -> Served:
    started: Served = await serve(clock)
    return started


async def opened(*visitors: Visitor, game: str = "morris") -> str:
    """Return a race that visitors have joined."""
    host, *others = visitors
    race = str((await host.ask("open_race", game=game))["race"])
    for other in others:
        assert (await other.ask("join_race", race=race))["type"] == "done"
    return race


async def begin(clock: SteppedClock, *visitors: Visitor) -> tuple[str, list[Frame]]:
    """Return a running race, and its first puzzles."""
    race = await opened(*visitors)
    assert (await visitors[0].ask("start_race", race=race))["type"] == "done"
    clock.now_ms += COUNTDOWN_MS
    return race, list((await visitors[0].ask("get_race_run", race=race))["puzzles"])


async def watch(visitor: Visitor, race: str) -> Frame:
    """Return a race that a visitor watches from now on."""
    await visitor.say("watch_race", race=race)
    return await visitor.hear_until("race_view")


async def view_when(visitor: Visitor, is_so: Callable[[Frame], bool]) -> Frame:
    """Return the latest view of the race that a visitor watches, once something is so."""
    while True:
        latest = next((frame for frame in reversed(visitor.read) if frame["type"] == "race_view"), None)
        if latest is not None and is_so(latest):
            return latest
        await visitor.hear()


def scores(view: Frame) -> list[int]:
    """Return the scores, in the order in which the players joined."""
    return [each["score"] for each in view["racers"]]


async def test_a_race_from_opening_to_the_table(served: Served, clock: SteppedClock) -> None:
    ann, ben = await served.visitor(), await register(served, "Beatrix")
    race = (await ann.ask("open_race", game="morris"))["race"]
    view = await watch(ben, race)
    assert (view["starts_in_ms"], view["left_ms"], view["starter"]) == (None, 0, ann.player["id"])
    assert (await ben.ask("get_race_run", race=race))["code"] == Code.NOT_JOINED
    await ben.ask("join_race", race=race)
    view = await view_when(ben, lambda view: len(view["racers"]) == 2)
    assert [each["player"]["name"] for each in view["racers"]] == [ann.player["name"], "Beatrix"]
    assert (await ann.ask("get_race_run", race=race))["code"] == Code.NOT_STARTED
    await ann.ask("start_race", race=race)
    view = await view_when(ben, lambda view: view["starts_in_ms"] == COUNTDOWN_MS)
    assert view["left_ms"] == COUNTDOWN_MS + 90_000

    runs = [await each.ask("get_race_run", race=race) for each in (ann, ben)]
    assert runs[0]["puzzles"] == runs[1]["puzzles"]
    first, second = runs[0]["puzzles"]
    assert (await play(ann, race, first, "d6"))["code"] == Code.NOT_STARTED
    clock.now_ms += COUNTDOWN_MS
    told = await solve(ann, race, first)
    points = len(PUZZLES[first["puzzle"]].solver_plies)
    assert told["you"] == {"player": ann.player, "score": points, "combo": points}
    assert told["next"]["number"] == 3
    told = await play(ben, race, first, wrong_move(first))
    assert (told["right"], told["reply"], told["next"]["number"], told["you"]["score"]) == (False, "", 3, 0)
    assert (await play(ben, race, first, wrong_move(first)))["code"] == Code.ILLEGAL_MOVE
    await view_when(ben, lambda view: scores(view) == [points, 0])

    clock.now_ms += 90_000 + 1_501
    assert (await play(ann, race, second, wrong_move(second)))["over"]
    assert scores(await watch(ben, race)) == [points, 0]


async def test_a_page_that_comes_back_goes_on_where_it_was(served: Served, clock: SteppedClock) -> None:
    ann = await served.visitor()
    race, puzzles = await begin(clock, ann)
    for _ in range(30):
        if len(PUZZLES[puzzles[0]["puzzle"]].solver_plies) > 1:
            break
        await solve(ann, race, puzzles[0])
        puzzles = (await ann.ask("get_race_run", race=race))["puzzles"]
    puzzle = PUZZLES[puzzles[0]["puzzle"]]
    first = puzzle.accepted_at(0)[0]
    told = await play(ann, race, puzzles[0], first)
    again = await served.visitor(ann.token)
    run = await again.ask("get_race_run", race=race)
    assert run["moves"] == [first, told["reply"]]
    assert (run["you"], run["puzzles"]) == (told["you"], puzzles)
    assert (await play(again, race, puzzles[0], *run["moves"], puzzle.accepted_at(2)[0]))["right"]


async def test_late_and_eleventh_players_only_watch(served: Served) -> None:
    visitors = [await served.visitor() for _ in range(MOST_RACERS + 1)]
    race = await opened(*visitors[:MOST_RACERS])
    late = visitors[-1]
    assert (await late.ask("join_race", race=race))["code"] == Code.ALREADY_STARTED
    view = await watch(late, race)
    assert (len(view["racers"]), view["starts_in_ms"]) == (MOST_RACERS, COUNTDOWN_MS)
    assert (await late.ask("play_race", race=race, number=1, moves=["d6"]))["code"] == Code.NOT_JOINED


async def test_if_the_opener_leaves_the_next_one_starts(served: Served) -> None:
    ann, ben, eve = [await served.visitor() for _ in range(3)]
    race = await opened(ann, ben, eve)
    assert (await eve.ask("start_race", race=race))["code"] == Code.HOST_NEEDED
    assert (await watch(eve, race))["starter"] == ann.player["id"]
    await ann.connection.close()
    await view_when(eve, lambda view: view["starter"] == ben.player["id"])
    await ben.ask("join_race", race=race, on=False)
    assert len((await view_when(eve, lambda view: view["starter"] == eve.player["id"]))["racers"]) == 2
    assert (await ben.ask("start_race", race=race))["code"] == Code.NOT_JOINED
    assert (await eve.ask("start_race", race=race))["type"] == "done"


async def test_the_same_players_race_again(served: Served, clock: SteppedClock) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    race, _ = await begin(clock, ann, ben)
    assert (await ann.ask("open_race", after=race))["code"] == Code.NOT_OVER
    clock.now_ms += 90_000
    assert (await watch(ben, race))["next"] == ""
    following = (await ann.ask("open_race", id="again", after=race))["race"]
    assert following != race
    assert (await ann.ask("open_race", id="again", after=race))["race"] == following
    await view_when(ben, lambda view: view["next"] == following)
    assert (await ben.ask("open_race", after=race))["race"] == following
    assert scores(await watch(ben, following)) == [0, 0]
    stranger = await served.visitor()
    assert (await stranger.ask("open_race", after=following))["code"] == Code.NOT_JOINED


async def test_a_race_of_all_games_has_puzzles_of_each(served: Served, clock: SteppedClock) -> None:
    ann = await served.visitor()
    race = await opened(ann, game="")
    await ann.ask("start_race", race=race)
    clock.now_ms += COUNTDOWN_MS
    games = set()
    for _ in range(3):
        posed = (await ann.ask("get_race_run", race=race))["puzzles"][0]
        games.add(posed["line"]["game"])
        await play(ann, race, posed, wrong_move(posed))
    assert games == {"morris", "mingmang", "battlesheep"}


@pytest.mark.parametrize(
    ("command", "fields", "code"),
    [
        ("open_race", {"game": "chess"}, Code.UNKNOWN_PUZZLE),
        ("open_race", {"after": "none"}, Code.UNKNOWN_RACE),
        ("join_race", {"race": "none"}, Code.UNKNOWN_RACE),
        ("start_race", {"race": "none"}, Code.UNKNOWN_RACE),
        ("get_race_run", {"race": "none"}, Code.UNKNOWN_RACE),
        ("play_race", {"race": "none", "number": 1, "moves": ["d6"]}, Code.UNKNOWN_RACE),
    ],
)
async def test_what_does_not_exist_is_refused(served: Served, command: str, fields: Frame, code: Code) -> None:
    ann = await served.visitor()
    assert (await ann.ask(command, **fields))["code"] == code


async def test_an_unknown_race_cannot_be_watched(served: Served) -> None:
    ann = await served.visitor()
    await ann.say("watch_race", race="none")
    assert (await ann.hear_until("refused"))["code"] == Code.UNKNOWN_RACE


async def test_players_on_two_nodes_see_each_other(cluster: Cluster) -> None:
    ann, ben = await cluster.first.visitor(), await cluster.second.visitor()
    race = await opened(ann)
    await watch(ann, race)
    await ben.ask("join_race", race=race)
    view = await view_when(ann, lambda view: len(view["racers"]) == 2)
    assert view["starter"] == ann.player["id"]
    await ann.ask("start_race", race=race)
    cluster.ahead_ms += COUNTDOWN_MS
    first = (await ben.ask("get_race_run", race=race))["puzzles"][0]
    points = (await solve(ben, race, first))["you"]["score"]
    await view_when(ann, lambda view: scores(view) == [0, points])
    await cluster.stop("second")
    ben = await cluster.first.visitor(ben.token)
    assert (await ben.ask("get_race_run", race=race))["you"]["score"] == points

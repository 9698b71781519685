"""Analyses over real sockets: lines, searches that continue and end, refusals, and reviews."""

import pytest

from millrace.protocol import Code
from millrace.server.bots.requests import SolvedResult, TablebaseLookup, Urgency
from millrace.server.learning.analysis.match_review import CHECK_NODES, PLY_NODES
from millrace.server.learning.analysis.searches import ANALYSIS_MS
from tests.server.in_process_server import Frame, Served
from tests.server.learning.analysis.finished_matches import create, play_out
from tests.server.players.accounts.registered_players import ask, register
from tests.server.web.two_players import begin_unwatched as begin

START = {"game": "morris"}
MILL_AT_ONCE = "WW.......WBB...BB....... w 6 6"


# Lines


async def test_a_line_is_walked_from_a_set_up(served: Served) -> None:
    ann = await served.visitor()
    told = await ask(ann, "explore", line={**START, "setup": MILL_AT_ONCE, "moves": ["g7 e5"]})
    assert told["type"] == "refused"
    told = await ask(ann, "explore", line={**START, "moves": ["d6", "f4"]})
    assert (told["ply"], told["to_move"], told["move"], told["seats"]) == (2, 0, "f4", 2)
    assert sorted(change[0] for change in told["view"]["changes"]) == ["d6", "f4"]
    assert len(told["moves"]) == 22
    assert told["position"].endswith("w 8 8")


async def test_moves_may_be_clicks_and_are_returned_as_text(served: Served) -> None:
    ann = await served.visitor()
    line = {"game": "battlesheep", "setup": "r3,0,b3 r 2"}
    told = await ask(ann, "explore", line=line)
    clicks: list[str] = []
    tree = told["moves"]
    while tree is not None:
        clicks.append(next(iter(tree)))
        tree = tree[clicks[-1]]
    after = await ask(ann, "explore", line={**line, "moves": [" ".join(clicks)]})
    assert (after["ply"], after["move"]) == (1, "a1-b1:1")


async def test_legal_moves_are_listed_with_texts_and_clicks(served: Served) -> None:
    ann = await served.visitor()
    told = await ask(ann, "get_legal_moves", line={"game": "battlesheep", "setup": "r3,0,b3 r 2"})
    assert told["moves"] == [{"move": f"a1-b1:{sheep}", "clicks": ["a1", "b1", str(sheep)]} for sheep in (1, 2)]
    match = await play_out(ann, ("d6", "f4"))
    before_end = await ask(ann, "get_legal_moves", line={"match": match, "ply": 1})
    assert "f4" in [each["move"] for each in before_end["moves"]]
    over = await ask(ann, "get_legal_moves", line={**START, "setup": "WWW.......BB............ b 0 0"})
    assert over["moves"] == []
    assert (await ask(ann, "get_legal_moves", line={"game": "chess"}))["code"] == Code.UNKNOWN_GAME


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"game": "chess"}, Code.UNKNOWN_GAME),
        ({"game": "morris", "setup": "nonsense"}, Code.BAD_SETUP),
        ({"game": "morris", "moves": ["z9"]}, Code.BAD_MOVE),
        ({"game": "morris", "moves": ["d6", "d6"]}, Code.ILLEGAL_MOVE),
        ({"match": "nosuchmatch"}, Code.UNKNOWN_MATCH),
        ({"game": "morris", "moves": ["d6"] * 401}, Code.MALFORMED),
    ],
)
async def test_an_illegal_line_is_refused(served: Served, line: Frame, code: Code) -> None:
    assert (await ask(await served.visitor(), "explore", line=line))["code"] == code


async def test_a_line_branches_off_from_a_match(served: Served) -> None:
    ann = await served.visitor()
    match = await play_out(ann, ("d6", "f4", "d2"))
    told = await ask(ann, "explore", line={"match": match, "ply": 2, "moves": ["a1"]})
    assert (told["ply"], told["move"], told["to_move"]) == (3, "a1", 1)
    assert (await ask(ann, "explore", line={"match": match, "ply": 9}))["code"] == Code.UNKNOWN_PLY


async def test_the_territory_that_ended_play_is_drawn(served: Served) -> None:
    line = {"game": "mingmang", "setup": "8/8/wwwwwwww/bbbbbbbb/8/8/8/8 b 0", "moves": ["pass", "pass"]}
    told = await ask(await served.visitor(), "explore", line=line)
    assert told["view"]["territory"] == [0] * 40 + [1] * 24
    begun = await ask(await served.visitor(), "explore", line={**line, "moves": []})
    assert begun["view"].get("territory") is None


async def test_the_end_of_play_has_its_reason(served: Served) -> None:
    told = await ask(await served.visitor(), "explore", line={**START, "setup": "WWW.......BB............ b 0 0"})
    assert (told["to_move"], told["ranks"], told["explanation"]) == (None, [1, 2], "fewer than three men are left")
    assert told["score"] == {"seat": 0, "hundredths": None, "ends_in": 0, "expectation": 1.0}
    going_on = await ask(await served.visitor(), "explore", line=START)
    assert going_on["score"] is None


async def test_the_end_of_play_is_scored_for_the_shown_seat(served: Served) -> None:
    ann = await served.visitor()
    lost = await ask(ann, "explore", line={**START, "setup": "BBB.......WW............ w 0 0"})
    assert lost["score"] == {"seat": 0, "hundredths": None, "ends_in": 0, "expectation": 0.0}
    quiet = await ask(ann, "explore", line={**START, "setup": "WWW.W......B.B.BB....... w 0 0 100"})
    assert quiet["score"] == {"seat": 0, "hundredths": 0, "ends_in": None, "expectation": 0.5}


# Searches


async def test_a_search_sends_results_until_its_time_is_spent(served: Served) -> None:
    ann = await served.visitor()
    await ann.say("analyse", id="a", line=START, seconds=2, variations=3)
    heard = [await ann.hear_until("evaluated")]
    while not heard[-1]["is_final"]:
        heard.append(await ann.hear_until("evaluated"))
    assert [frame["depth"] for frame in heard] == [1, 2, 3]
    assert [request.movetime_ms for request in served.bots.analyses] == [300, 600, 1100]
    assert [len(frame["variations"]) for frame in heard] == [3, 3, 3]
    assert {request.urgency for request in served.bots.analyses} == {Urgency.ANALYSIS}
    left = [frame["left_ms"] for frame in heard]
    assert left == sorted(left, reverse=True)
    assert left[-1] < (ANALYSIS_MS.guests or 0)


async def test_a_player_without_allowance_is_refused_and_told_when_to_retry(served: Served) -> None:
    ann = await served.visitor()
    await ann.say("analyse", id="a", line=START, seconds=60)
    last = await ann.hear_until("evaluated", is_final=True)
    assert last["left_ms"] < 300
    refused = await ask(ann, "analyse", line=START)
    assert refused["code"] == Code.ANALYSIS_SPENT
    assert "Please try again in 1 second" in refused["message"]
    # Another guest at the same address has no more.
    assert (await ask(await served.visitor(), "analyse", line=START))["code"] == Code.ANALYSIS_SPENT


async def test_a_search_ends_when_it_is_stopped_replaced_or_its_page_is_closed(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    served.bots.may_analyse.clear()
    await ann.say("analyse", id="first", line=START)
    await ann.say("analyse", id="second", line={**START, "moves": ["d6"]})
    assert (await ask(ann, "stop_analysis"))["type"] == "done"
    await ann.say("analyse", id="third", line={**START, "moves": ["d2"]})
    assert (await ask(ann, "explore", line=START))["type"] == "explored"
    await ann.connection.close()
    await ben.say("analyse", id="b", line=START, seconds=1)
    served.bots.may_analyse.set()
    await ben.hear_until("evaluated", is_final=True)
    assert [frame for frame in ann.read if frame["type"] == "evaluated"] == []
    asked = [request for request in served.bots.analyses if request.owner == ann.player["id"]]
    assert {request.moves for request in asked} <= {(), ("d6",), ("d2",)}


async def test_a_requested_move_is_scored_beside_the_best(served: Served) -> None:
    served.bots.loss = 70
    ann = await served.visitor()
    await ann.say("analyse", id="a", line={**START, "moves": ["d6"]}, seconds=1, also="f4")
    told = await ann.hear_until("evaluated")
    assert told["also"]["moves"] == ["f4"]
    assert told["also"]["score"]["hundredths"] == 70
    assert told["variations"][0]["score"]["hundredths"] == 0


# Fair play


async def test_nobody_can_analyse_a_match_in_progress(served: Served) -> None:
    ann, eve = await served.visitor(), await served.visitor()
    match = await create(ann)
    for type_, fields in (
        ("analyse", {"line": {"match": match}}),
        ("probe_tablebase", {"line": {"match": match}}),
        ("analyse_match", {"match": match}),
    ):
        assert (await ask(eve, type_, **fields))["code"] == Code.BEING_PLAYED


async def test_a_player_cannot_analyse_the_position_of_their_match(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await begin(ann, ben)
    await ann.ask("play", id="p", match=match, seat=0, move="d6")
    assert (await ask(ben, "analyse", line={**START, "moves": ["d6"]}))["code"] == Code.BEING_PLAYED
    assert (await ask(ben, "probe_tablebase", line={**START, "moves": ["d6"]}))["code"] == Code.BEING_PLAYED
    assert (await ask(ben, "analyse", line={**START, "moves": ["d2"]}))["type"] == "evaluated"
    eve = await served.visitor()
    assert (await ask(eve, "analyse", line={**START, "moves": ["d6"]}))["type"] == "evaluated"


async def test_a_player_in_a_rated_match_cannot_analyse_that_game(served: Served) -> None:
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    clock = {"initial_ms": 300_000}
    match = await begin(ann, ben, rated=True, clock=clock)
    assert (await ask(ann, "analyse", line={**START, "moves": ["a1"]}))["code"] == Code.BEING_PLAYED
    assert (await ask(ann, "analyse", line={"game": "mingmang"}))["type"] == "evaluated"
    await ann.ask("resign", id="x", match=match, seat=0)
    await ann.ask("abort", id="y", match=match, seat=0)
    assert (await ask(ann, "analyse", line={**START, "moves": ["a1"]}))["type"] == "evaluated"


SET_UP = "WWW.........BBB......... w 0 0"


@pytest.mark.parametrize("is_rated", [True, False])
async def test_a_bot_does_not_play_on_from_a_position_that_may_not_be_analysed(served: Served, is_rated: bool) -> None:
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    alone = (await ann.ask("create", game="morris", seats=[{"occupant": "me"}] * 2))["match"]
    for ply, move in enumerate(("d6", "d2")):
        await ann.ask("play", match=alone, seat=ply % 2, move=move)
    played = await begin(ann, ben, rated=is_rated, clock={"initial_ms": 300_000})
    for player, seat, move in ((ann, 0, "d6"), (ben, 1, "d2")):
        assert (await player.ask("play", match=played, seat=seat, move=move))["type"] == "accepted"
    text = (await ann.ask("explore", line={**START, "moves": ["d6", "d2"]}))["position"]
    bot = {"occupant": "bot", "level": 8}

    async def answers() -> set[str]:
        told = (
            await ann.ask("create", game="morris", setup=text, seats=[{"occupant": "me"}, bot]),
            await ann.ask("create", game="morris", setup=text, seats=[bot, bot]),
            await ann.ask("change_player", match=alone, seat=1, level=8),
        )
        return {frame.get("code", "accepted") for frame in told}

    assert await answers() == {Code.BEING_PLAYED}
    # Another position helps only in a rated match, and the standard start and other games never do.
    for fields, is_fair in (
        ({"game": "morris", "setup": SET_UP}, not is_rated),
        ({"game": "morris"}, True),
        ({"game": "mingmang", "setup": "wwwwwwww/w6b/w6b/w6b/w6b/w6b/w6b/bbbbbbbb b 0"}, True),
    ):
        told = await ann.ask("create", seats=[{"occupant": "me"}, bot], **fields)
        assert told.get("code", "accepted") == ("accepted" if is_fair else Code.BEING_PLAYED), fields
    await ann.ask("resign", match=played, seat=0)
    assert await answers() == {"accepted"}


async def test_no_bot_joins_or_plays_again_from_a_set_up_during_a_rated_match(served: Served) -> None:
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    me, bot = {"occupant": "me"}, {"occupant": "bot", "level": 1}
    over = (await ann.ask("create", game="morris", setup=SET_UP, seats=[me, bot]))["match"]
    assert (await ann.ask("resign", match=over, seat=0))["type"] == "accepted"
    waiting = (await ann.ask("create", game="morris", setup=SET_UP, seats=[me, {"occupant": "open"}]))["match"]
    seeded = {"game": "battlesheep", "setup": "seats=2 seed=44"}
    for start in ({"game": "morris"}, seeded):
        await begin(ann, ben, rated=True, clock={"initial_ms": 300_000}, **start)
    for told in (
        await ann.ask("rematch", match=over, seat=0),
        await ann.ask("fill_seat", match=waiting, seat=1, level=1),
        await ann.ask("create", **seeded, seats=[me, bot]),
    ):
        assert told.get("code") == Code.BEING_PLAYED, told
    assert (await ann.ask("create", **{**seeded, "setup": "seats=2 seed=45"}, seats=[me, bot]))["type"] == "accepted"


# Matches


async def test_a_match_is_reviewed_once_for_all_callers_and_stored(served: Served) -> None:
    served.bots.loss = 90
    ann, ben = await served.visitor(), await served.visitor()
    match = await play_out(ann, ("d6", "f4", "e3"))
    served.bots.may_analyse.clear()
    for visitor in (ann, ben):
        await visitor.say("analyse_match", id="m", match=match)
        progress = await visitor.hear_until("match_progress")
        assert (progress["done"], progress["total"]) == (0, 3)
    served.bots.may_analyse.set()
    judged = [await visitor.hear_until("match_analysed") for visitor in (ann, ben)]
    assert judged[0] == judged[1]
    assert [ply["move"] for ply in judged[0]["plies"]] == ["d6", "f4", "e3"]
    assert [ply["seat"] for ply in judged[0]["plies"]] == [0, 1, 0]
    # The book knows better than the search that the first two are good; the third has been searched twice.
    assert [ply["judgement"] for ply in judged[0]["plies"]] == ["good", "good", "blunder"]
    assert [(len(request.moves), request.nodes) for request in served.bots.analyses] == [
        (2, PLY_NODES),
        (1, PLY_NODES),
        (0, PLY_NODES),
        (2, CHECK_NODES),
    ]
    assert judged[0]["accuracies"][1] == 100.0
    assert judged[0]["accuracies"][0] < 80
    again = await ask(await served.visitor(), "analyse_match", match=match)
    assert again["plies"] == judged[0]["plies"]
    assert again["accuracies"] == judged[0]["accuracies"]
    assert len(served.bots.analyses) == 4


async def test_only_a_stored_review_is_shown_if_no_new_one_is_wanted(served: Served) -> None:
    ann = await served.visitor()
    match = await play_out(ann, ("d6", "f4", "e3"))
    assert (await ask(ann, "analyse_match", match=match, only_stored=True))["type"] == "done"
    assert not served.bots.analyses
    await ann.say("analyse_match", id="m", match=match)
    reviewed = await ann.hear_until("match_analysed")
    stored = await ask(ann, "analyse_match", match=match, only_stored=True)
    assert stored["plies"] == reviewed["plies"]


async def test_a_player_has_one_review_at_a_time(served: Served) -> None:
    ann = await served.visitor()
    first = await play_out(ann, ("d6",))
    served.bots.may_analyse.clear()
    await ann.say("analyse_match", id="m", match=first)
    await ann.hear_until("match_progress")
    ben = await served.visitor()
    second = await play_out(ben, ("d2",))
    assert (await ask(ben, "analyse_match", match=second))["code"] == Code.ANALYSIS_SPENT
    served.bots.may_analyse.set()
    await ann.hear_until("match_analysed")
    await ben.say("analyse_match", id="m", match=second)
    await ben.hear_until("match_analysed")


# Endings


async def test_results_of_solved_endings_are_returned(served: Served) -> None:
    served.bots.ending = TablebaseLookup(
        ("3-3",), SolvedResult(1, 5), (("a7-d6", SolvedResult(1, 4)), ("a7-d7", SolvedResult(0, None)))
    )
    told = await ask(await served.visitor(), "probe_tablebase", line=START)
    assert told["tables"] == ["3-3"]
    assert (told["solved"]["result"], told["solved"]["plies"]) == (1, 5)
    assert told["solved"]["moves"][0] == {"move": "a7-d6", "result": 1, "plies": 4}


async def test_a_game_without_solved_endings_has_no_tables(served: Served) -> None:
    told = await ask(await served.visitor(), "probe_tablebase", line={"game": "mingmang"})
    assert (told["tables"], told["solved"]) == ([], None)

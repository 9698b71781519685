"""Tournaments in rounds on a server: played to the end, and continued after a crash in the middle of a round."""

import asyncio

import pytest

from millrace.server.tournaments.pairing.report_file import parse_report
from millrace.server.tournaments.tournament_runner import TournamentRunner
from tests.server.in_process_server import Frame, Serve
from tests.server.tournaments.evenings import Evening, names_of, seen
from tests.server.web.get_requests import get

FOUR = ("Annabel", "Benjamin", "Caroline", "Dorothea")


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


def scores(view: Frame) -> dict[str, int]:
    return {row["player"]["name"]: row["score"] for row in view["standings"]}


async def test_a_swiss_is_played_to_its_end_and_reported(serve: Serve) -> None:
    evening = await Evening(serve).begin_rounds(*FOUR[:3], kind="swiss", rounds=3)
    met = list[frozenset[str]]()
    for number in (1, 2, 3):
        table, bye = await evening.round(number)
        assert bye["points"] == [2, 0]
        met += [frozenset(names_of(table)), frozenset(names_of(bye))]
        await evening.win(table, min(names_of(table)))
    assert len(set(met)) == 6, "nobody has met twice or had two byes"
    view = await evening.over()
    assert scores(view) == {"Annabel": 6, "Benjamin": 4, "Caroline": 2}
    assert (view["summary"]["winner"], view["summary"]["rounds"]) == ("Annabel", 3)
    first = view["standings"][0]
    assert (sorted(first["points"]), first["sonneborn_berger"] > 0) == ([2, 2, 2], True)
    status, headers, body = await get(evening.served, f"/tournament/{evening.tournament}.trf")
    assert (status, headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    report = parse_report(body.decode())
    assert [each.name for each in report.swiss.entrants] == list(FOUR[:3])
    assert {number: points[-1] for number, points in report.swiss.scores().items()} == {1: 6, 2: 4, 3: 2}
    assert report.headers[0] == "012 Evening arena"


async def test_the_matches_of_a_player_are_the_tables_of_all_rounds(serve: Serve) -> None:
    evening = await Evening(serve).begin_rounds("Annabel", "Benjamin", kind="round_robin", double=True)
    for number in (1, 2):
        (table,) = await evening.round(number)
        await evening.win(table, "Annabel")
    found = await evening.ask(evening.players[0], "get_tournament_matches", player="Benjamin")
    assert [(each["round"], sorted(each["points"])) for each in found["tables"]] == [(1, [0, 2]), (2, [0, 2])]


async def test_the_organiser_of_a_swiss_keeps_two_players_apart(serve: Serve) -> None:
    evening = Evening(serve)
    starts_at_ms = evening.clock.now_ms + 60_000
    await evening.begin(*FOUR, kind="swiss", rounds=3, minutes=0, starts_at_ms=starts_at_ms)
    ann, ben, *_ = evening.players
    whom = {"tournament": evening.tournament, "players": ["Annabel", "Caroline"]}
    assert (await ben.ask("forbid_pairing", **whom))["code"] == "not_allowed"
    assert (await ann.ask("forbid_pairing", **whom))["type"] == "done"
    view = await seen(lambda: evening.view(ben), lambda view: view["forbidden"] != [])
    assert [[player["name"] for player in pair] for pair in view["forbidden"]] == [["Annabel", "Caroline"]]
    tables = await evening.round(1, after_ms=60_000)
    assert {"Annabel", "Caroline"} not in [names_of(table) for table in tables]


async def test_a_round_robin_is_played_to_its_end(serve: Serve) -> None:
    evening = await Evening(serve).begin_rounds(*FOUR, kind="round_robin")
    met = list[frozenset[str]]()
    for number in (1, 2, 3):
        for table in await evening.round(number):
            met.append(frozenset(names_of(table)))
            await evening.win(table, min(names_of(table)))
    assert len(set(met)) == 6
    view = await evening.over()
    assert scores(view) == dict(zip(FOUR, (6, 4, 2, 0), strict=True))
    assert len(view["tables"]) == 6
    assert (await get(evening.served, f"/tournament/{evening.tournament}.trf"))[0] == 404


async def test_a_knockout_is_played_to_its_end(serve: Serve) -> None:
    evening = await Evening(serve).begin_rounds(*FOUR[:3], kind="knockout", best_of=1)
    bye, semifinal = await evening.round(1)
    assert bye["players"][1] is None
    await evening.win(semifinal, "Caroline")
    evening.clock.now_ms += 30_000

    def final_of(view: Frame) -> Frame:
        return dict(view["tables"][-1])

    view = await seen(lambda: evening.view(evening.players[0]), lambda view: final_of(view)["match"] is not None)
    assert names_of(final_of(view)) == {"Annabel", "Caroline"}
    await evening.win(final_of(view), "Caroline")
    view = await evening.over()
    assert [row["player"]["name"] for row in view["standings"]] == ["Caroline", "Annabel", "Benjamin"]


async def test_an_absent_player_forfeits_and_the_next_round_starts(serve: Serve) -> None:
    evening = await Evening(serve).begin_rounds(*FOUR, kind="swiss", rounds=3)
    tables = await evening.round(1)
    for table in tables:  # the first seat comes to the board too late
        (player,) = (each for each in evening.players if each.player["name"] == table["players"][0]["name"])
        evening.clock.now_ms += 40_000
        assert (await player.ask("play", match=table["match"], seat=0, move="a7"))["code"] == "match_over"
        await evening.place(player, match=None)
    again = await evening.round(2)
    view = await evening.view(evening.players[0])
    assert [(table["points"], table["forfeit"]) for table in view["tables"][:2]] == [([0, 2], True)] * 2
    assert len(again) == 2


async def test_a_swiss_goes_on_after_a_restart_in_the_middle_of_a_round(serve: Serve) -> None:
    evening = await Evening(serve).begin_rounds(*FOUR, kind="swiss", rounds=3)
    one, other = await evening.round(1)
    await evening.win(one, min(names_of(one)))
    await evening.restart()
    assert [table["match"] for table in (await evening.view(evening.players[0]))["tables"]] == [
        one["match"],
        other["match"],
    ]
    await evening.win(other, min(names_of(other)))
    tables = await evening.round(2)
    winners = {min(names_of(one)), min(names_of(other))}
    assert winners in [names_of(table) for table in tables], "those with a point meet"


async def test_the_boards_of_a_round_are_created_once_after_a_crash(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round is stored, one of its matches too, and then the server dies."""
    create = TournamentRunner._create
    is_first, is_stored = asyncio.Event(), asyncio.Event()

    async def crash(*arguments: object) -> None:
        if is_first.is_set():
            is_stored.set()
            await asyncio.Event().wait()
        is_first.set()
        await create(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(TournamentRunner, "_create", crash)
        evening = await Evening(serve).begin_rounds(*FOUR, kind="swiss", rounds=3)
        await is_stored.wait()
    await evening.restart()
    tables = await evening.round(1, after_ms=0)
    assert len({table["match"] for table in tables}) == 2
    for table in tables:
        await evening.win(table, min(names_of(table)))
    assert sorted(scores(await evening.view(evening.players[0])).values()) == [0, 0, 2, 2]

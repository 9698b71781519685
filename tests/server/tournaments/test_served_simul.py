"""A simultaneous exhibition on a server: played to the end, and continued after a crash at its start."""

import asyncio

import pytest

from millrace.protocol import ModerationAction
from millrace.server.app.stores import open_storage
from millrace.server.tournaments.tournament_runner import TournamentRunner
from tests.server.in_process_server import Frame, Serve, Visitor
from tests.server.moderation.console import Console
from tests.server.players.accounts.registered_players import PASSWORD, register_all
from tests.server.tournaments.arenas import plan
from tests.server.tournaments.evenings import Evening, names_of, seen

PLAYERS = ("Annabel", "Benjamin", "Caroline")
HOST = "Hostess"


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


def simul_plan(now_ms: int) -> Frame:
    return plan(now_ms, kind="simul", minutes=0, rated=False, extra_minutes=10)


def name_of(row: Frame) -> str:
    return str(row["player"]["name"])


class Simul(Evening):
    """A simul to which three players have applied. The first of its visitors is the host."""

    async def apply(self, *accepted: str) -> "Simul":
        """Begin a simul whose host accepts some players."""
        self.served = await self._serve(self.clock)
        self.players = await register_all(self.served, HOST, *PLAYERS)
        created = await self.host.ask("create_tournament", plan=simul_plan(self.clock.now_ms))
        self.tournament = created["tournament"]
        for player in self.players[1:]:
            await player.say("watch_notifications")
            assert (await self.ask(player, "join_tournament"))["type"] == "done"
        for name in accepted:
            assert (await self.ask(self.host, "accept_player", player=name))["type"] == "done"
        return self

    @property
    def host(self) -> Visitor:
        return self.players[0]

    async def boards(self) -> list[Frame]:
        """Return the tables, once the matches have begun."""

        def is_there(view: Frame) -> bool:
            return bool(view["tables"]) and all(table["match"] is not None for table in view["tables"])

        return list((await seen(lambda: self.view(self.host), is_there))["tables"])


async def test_a_simul_is_played_to_its_end(serve: Serve) -> None:
    simul = await Simul(serve).apply("Annabel", "Caroline")
    ann, ben, cat = simul.players[1:]
    notified = (await ann.hear_until("notification_added"))["notification"]
    assert (notified["kind"], notified["subject"]) == ("simul_accepted", simul.tournament)
    assert (await simul.ask(ann, "start_simul"))["code"] == "not_allowed"
    assert (await simul.ask(ann, "accept_player", player="Benjamin"))["code"] == "not_allowed"
    assert (await simul.ask(simul.host, "start_simul"))["type"] == "done"
    one, other = await simul.boards()
    assert [[player["name"] for player in table["players"]] for table in (one, other)] == [
        [HOST, "Annabel"],
        ["Caroline", HOST],
    ]
    started = (await cat.hear_until("notification_added"))["notification"]
    while started["kind"] != "simul_started":
        started = (await cat.hear_until("notification_added"))["notification"]
    assert (started["match"], started["player"]["name"]) == (other["match"], HOST)
    assert (await simul.view(ben))["you"]["standing"]["match"] is None

    await simul.host.say("watch_your_matches")
    waiting = await simul.host.hear_until("your_matches")
    while len(waiting["matches"]) < 2:
        waiting = await simul.host.hear_until("your_matches")
    assert [(each["match"], each["is_your_turn"], each["tournament"]) for each in waiting["matches"]] == [
        (one["match"], True, simul.tournament),
        (other["match"], False, simul.tournament),
    ]
    assert waiting["matches"][0]["due_at_ms"] == simul.clock.now_ms + 780_000, "three minutes and ten more"

    await simul.win(one, HOST)
    await simul.lose(simul.host, other["match"])
    view = await simul.over()
    assert [table["points"] for table in view["tables"]] == [[2, 0], [2, 0]]
    assert [row["player"]["name"] for row in view["standings"]] == ["Caroline", "Annabel", "Benjamin"]


async def test_banned_and_deleted_players_are_not_played_and_a_simul_without_its_host_is_called_off(
    serve: Serve, url: str
) -> None:
    simul = await Simul(serve).apply(*PLAYERS)
    _, ben, cat = simul.players[1:]
    other = (await simul.host.ask("create_tournament", plan=simul_plan(simul.clock.now_ms)))["tournament"]
    stores = await open_storage(url)
    console = Console(stores)
    await console.do(ModerationAction.BAN, "Annabel")
    assert (await ben.ask("delete_account", password=PASSWORD))["type"] == "done"
    await seen(lambda: simul.view(cat), lambda view: [*map(name_of, view["standings"])] == ["Caroline"])
    assert (await simul.ask(simul.host, "start_simul"))["type"] == "done"
    (board,) = await simul.boards()
    assert names_of(board) == {HOST, "Caroline"}
    await console.do(ModerationAction.BAN, HOST)
    await stores.close()
    simul.players[0] = cat
    view = await simul.over()
    assert (name_of(view["standings"][0]), view["standings"][0]["score"]) == ("Caroline", 2)
    simul.tournament = other
    await simul.over()


async def test_nobody_claims_that_the_host_is_absent(serve: Serve) -> None:
    simul = await Simul(serve).apply("Annabel")
    ann = simul.players[1]
    await simul.ask(simul.host, "start_simul")
    (board,) = await simul.boards()
    for visitor in (simul.host, ann):
        await visitor.say("watch", match=board["match"])
    assert (await simul.host.ask("play", match=board["match"], seat=0, move="a7"))["type"] == "accepted"
    assert (await ann.ask("play", match=board["match"], seat=1, move="d7"))["type"] == "accepted"
    await simul.host.say("unwatch", match=board["match"])
    await ann.hear_until("audience_update")
    simul.clock.now_ms += 60_000
    claimed = await ann.ask("claim", match=board["match"], seat=1, for_seat=0, outcome="win")
    assert claimed["code"] == "not_absent"


async def test_the_boards_are_created_once_after_a_crash_at_the_start(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The boards are stored, one of the matches too, and then the server dies."""
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
        simul = await Simul(serve).apply(*PLAYERS)
        await simul.ask(simul.host, "start_simul")
        await is_stored.wait()
    await simul.restart()
    boards = await simul.boards()
    assert [names_of(board) for board in boards] == [{HOST, name} for name in PLAYERS]
    assert len({board["match"] for board in boards}) == 3
    await simul.host.say("watch_your_matches")
    yours = await simul.host.hear_until("your_matches")
    while len(yours["matches"]) < 3:
        yours = await simul.host.hear_until("your_matches")
    assert {each["match"] for each in yours["matches"]} == {board["match"] for board in boards}

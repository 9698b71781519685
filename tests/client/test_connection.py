"""The connection against a server that loses what a test wants lost."""

import asyncio

import pytest

from millrace.client import (
    ME,
    AddressError,
    ConnectionLostError,
    DismissedError,
    HungUpError,
    ProtocolError,
    RefusedError,
    UnreachableError,
    bot,
    connect,
    reconnecting_socket,
    requests,
)
from millrace.client.reconnecting_socket import backoff_delays_s, socket_url
from millrace.protocol import (
    Code,
    Create,
    Explore,
    Explored,
    Hello,
    Line,
    MatchId,
    Play,
    Refused,
    WatchLobby,
    WatchYourMatches,
    encode,
)
from tests.client.connecting import connected, refusal_of, watched_match
from tests.client.fake_server import GAMES, FakeServer
from tests.serving import PATIENCE_S


async def test_a_guest_learns_their_name_and_the_games_on_offer() -> None:
    async with FakeServer() as server, connected(server) as connection:
        assert connection.is_connected
        assert connection.player.name == "Guest 0"
        assert connection.token == "token 0"
        assert connection.games == GAMES


async def test_a_token_identifies_the_same_player_again() -> None:
    async with FakeServer() as server:
        async with connected(server) as first:
            pass
        async with connect(server.address, token=first.token) as second:
            assert second.player == first.player


async def test_a_wrong_token_is_refused() -> None:
    async with FakeServer() as server:
        with pytest.raises(RefusedError) as refusal:
            async with connect(server.address, token="of another server"):
                pass
        assert refusal.value.code == Code.BAD_TOKEN


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("localhost:8000", "ws://localhost:8000/socket"),
        ("play.example", "ws://play.example/socket"),
        ("http://host:1/", "ws://host:1/socket"),
        ("https://host", "wss://host/socket"),
        ("ws://[::1]:8000/socket", "ws://[::1]:8000/socket"),
        ("wss://host/socket", "wss://host/socket"),
    ],
)
def test_an_address_may_be_a_host_or_a_url(address: str, url: str) -> None:
    assert socket_url(address) == url


@pytest.mark.parametrize("address", ["", "ftp://host", "http://host/elsewhere", "http://:8000"])
def test_an_invalid_server_address_is_an_error(address: str) -> None:
    with pytest.raises(AddressError):
        socket_url(address)


async def test_an_unreachable_server_is_an_immediate_error() -> None:
    async with FakeServer() as server:
        address = server.address
    with pytest.raises(UnreachableError):
        async with connect(address):
            pass


def test_the_pauses_between_attempts_grow_to_a_maximum_and_vary() -> None:
    delays_s = [delay for delay, _ in zip(backoff_delays_s(0.1, 1.0), range(50), strict=False)]
    assert all(0.05 <= delay <= 0.1 for delay in delays_s[:1])
    assert all(0.5 <= delay <= 1.0 for delay in delays_s[4:])
    assert len(set(delays_s)) > 40


async def test_a_command_is_answered() -> None:
    async with FakeServer() as server, connected(server) as connection:
        created = await connection.create("toy", [ME, bot(3)])
        answer = await connection.play(created.match, 0, "a1")
        assert (answer.match, answer.seq) == (created.match, 5)


async def test_a_refused_command_raises_its_code() -> None:
    async with FakeServer() as server, connected(server) as connection:
        match = await server.start_match()
        with pytest.raises(RefusedError) as refusal:
            await connection.play(match, 0, "illegal")
        assert (refusal.value.code, refusal.value.match) == (Code.ILLEGAL_MOVE, match)


@pytest.mark.parametrize("move", ["", "x" * 65])
async def test_a_command_that_every_server_would_reject_is_refused_unsent(move: str) -> None:
    async with FakeServer() as server, connected(server) as connection:
        assert await refusal_of(connection.play(MatchId("m1"), 0, move)) is Code.MALFORMED
        assert [type(message) for message in server.heard] == [Hello]


async def test_a_command_longer_than_a_frame_is_refused_unsent() -> None:
    async with FakeServer() as server, connected(server) as connection:
        with pytest.raises(RefusedError):
            await connection.create("toy", [ME, ME], setup="\N{SHEEP}" * 2048)
        assert [type(message) for message in server.heard] == [Hello]


async def test_a_command_lost_on_the_way_is_sent_again() -> None:
    async with FakeServer() as server, connected(server) as connection:
        server.lose_commands = 2
        await connection.create("toy", [ME, ME])
        creations = [message for message in server.heard if isinstance(message, Create)]
        assert len(creations) == 3
        assert len(server.matches) == 1


async def test_a_command_whose_answer_was_lost_takes_effect_once() -> None:
    async with FakeServer() as server, connected(server) as connection:
        match = await server.start_match()
        server.lose_answers = 2
        answer = await connection.play(match, 0, "a1")
        plays = [message for message in server.heard if isinstance(message, Play)]
        assert len(plays) == 3
        assert len({play.id for play in plays}) == 1
        assert (answer.seq, len(server.matches[match])) == (5, 5)


@pytest.mark.parametrize("breaks", [False, True])
async def test_a_command_that_may_have_been_stored_is_sent_again_and_takes_effect_once(
    monkeypatch: pytest.MonkeyPatch, breaks: bool
) -> None:
    monkeypatch.setattr(requests, "UNAVAILABLE_RETRY_S", 0.01)
    async with FakeServer() as server, connected(server) as connection:
        server.lose_storage, server.lose_answers = 2, int(breaks)
        created = await connection.create("toy", [ME, ME])
        creations = [message for message in server.heard if isinstance(message, Create)]
        assert len(creations) >= 3
        assert len({creation.id for creation in creations}) == 1
        assert list(server.matches) == [created.match]
        server.lose_storage = 1
        assert (await connection.play(created.match, 0, "a1")).seq == len(server.matches[created.match])


async def test_a_cancelled_command_is_not_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "UNAVAILABLE_RETRY_S", 0.01)
    async with FakeServer() as server, connected(server) as connection:
        server.lose_storage = 1_000_000
        creating = asyncio.create_task(connection.create("toy", [ME, ME]))
        async with asyncio.timeout(PATIENCE_S):
            while len([message for message in server.heard if isinstance(message, Create)]) < 3:
                await connection.ping()
        creating.cancel()
        await asyncio.wait([creating])
        server.lose_storage = 0
        await connection.create("toy", [ME, ME])


async def test_without_retries_a_command_fails_when_nothing_can_be_stored() -> None:
    async with FakeServer() as server, connect(server.address, retry_unavailable=False) as connection:
        server.lose_storage = 1
        with pytest.raises(RefusedError, match="Cannot be stored now") as refusal:
            await connection.create("toy", [ME, ME])
        assert refusal.value.code is Code.UNAVAILABLE


async def test_simultaneous_commands_are_each_answered() -> None:
    async with FakeServer() as server, connected(server) as connection:
        match = await server.start_match()
        server.lose_answers = 1
        answers = await asyncio.gather(*(connection.play(match, 0, "a1") for _ in range(10)))
        assert sorted(answer.seq for answer in answers) == list(range(5, 15))


async def test_a_new_connection_is_the_same_player() -> None:
    async with FakeServer() as server, connected(server) as connection:
        server.drop()
        await connection.create("toy", [ME, ME])
        hellos = [message for message in server.heard if isinstance(message, Hello)]
        assert [hello.token for hello in hellos] == ["", "token 0"]
        assert connection.player.name == "Guest 0"


async def test_without_reconnecting_a_broken_connection_ends_all_open_requests() -> None:
    async with FakeServer() as server, connected(server, reconnect=False) as connection:
        feed = connection.watch(await server.start_match())
        await feed.ready()
        server.lose_answers = 1
        with pytest.raises(ConnectionLostError):
            await connection.create("toy", [ME, ME])
        with pytest.raises(ConnectionLostError):
            await feed.result()
        with pytest.raises(ConnectionLostError):
            await connection.ping()
        with pytest.raises(ConnectionLostError):
            connection.watch(feed.match)
        assert not connection.is_connected


@pytest.mark.parametrize("close_code", [1000, 1001, 1011, 1012, 1013])
async def test_the_client_reconnects_to_a_server_that_went_away(close_code: int) -> None:
    async with FakeServer() as server, connected(server) as connection:
        await server.dismiss(close_code, "restart")
        await connection.ping()


async def test_connections_that_break_at_once_follow_each_other_more_and_more_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses_s = iter([0.0] * 3)
    monkeypatch.setattr(reconnecting_socket, "backoff_delays_s", lambda **_: pauses_s)
    async with FakeServer() as server, connected(server) as connection:
        for _ in range(3):
            server.drop()
            await connection.ping()
        assert next(pauses_s, None) is None


async def test_after_a_dismissal_the_client_does_not_reconnect_and_reports_the_reason() -> None:
    async with watched_match() as (server, _, _, feed):
        await feed.ready()
        await server.say(encode(Refused(Code.TOO_FAST, "Slow down.")))
        await server.dismiss(1008, "Slow down.")
        with pytest.raises(DismissedError) as dismissal:
            await feed.result()
        error = dismissal.value
        assert (error.close_code, error.reason, error.code) == (1008, "Slow down.", Code.TOO_FAST)
        assert len([message for message in server.heard if isinstance(message, Hello)]) == 1


async def test_the_client_reconnects_to_a_server_that_was_full() -> None:
    async with FakeServer() as server, connected(server) as connection:
        server.refuse_greetings = [Code.TOO_MANY, Code.UNAVAILABLE]
        server.drop()
        await connection.ping()
        assert len([message for message in server.heard if isinstance(message, Hello)]) == 4


async def test_a_server_that_does_not_answer_a_client_that_reconnects_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reconnecting_socket, "REOPENING_TIMEOUT_S", 0.5)
    async with FakeServer() as server, connected(server) as connection:
        server.ignore_greetings = 1
        server.drop()
        await connection.ping()
        assert server.ignore_greetings == 0


async def test_a_server_that_no_longer_knows_the_player_ends_the_connection() -> None:
    async with FakeServer() as server, connected(server) as connection:
        server.refuse_greetings = [Code.BAD_TOKEN]
        server.drop()
        with pytest.raises(RefusedError):
            await connection.ping()


async def test_reconnecting_stops_when_the_pauses_run_out() -> None:
    async with (
        asyncio.timeout(PATIENCE_S),
        FakeServer() as server,
        connect(server.address, delays_s=lambda: [0.0, 0.0]) as connection,
    ):
        await server.stop()
        with pytest.raises(UnreachableError):
            await connection.ping()


@pytest.mark.parametrize("frame", [b"{", b'{"type":"unheard_of"}', b'{"type":"welcome"}'])
async def test_a_message_outside_the_protocol_ends_the_connection(frame: bytes) -> None:
    async with FakeServer() as server, connected(server) as connection:
        await connection.ping()
        feed = connection.watch(await server.start_match())
        await feed.ready()
        await server.say(frame)
        with pytest.raises(ProtocolError):
            await feed.result()


async def test_leaving_the_context_ends_all_open_requests() -> None:
    async with FakeServer() as server:
        async with connected(server) as connection:
            feed = connection.watch(await server.start_match())
            result = asyncio.create_task(feed.result())
            await feed.ready()
        with pytest.raises(HungUpError):
            await result
        with pytest.raises(HungUpError):
            await connection.create("toy", [ME, ME])


async def test_a_caller_that_stops_waiting_leaves_the_connection_in_order() -> None:
    async with FakeServer() as server, connected(server) as connection:
        match = await server.start_match()
        play = asyncio.create_task(connection.play(match, 0, "a1"))
        await asyncio.sleep(0)
        play.cancel()
        await connection.ping()
        assert (await connection.play(match, 1, "b1")).seq == 6


async def test_the_list_of_own_matches_is_followed_across_connections() -> None:
    async with FakeServer() as server, connected(server) as connection:
        lists = connection.lobby.your_matches()
        assert [line.is_your_turn for line in await anext(lists)] == [True]
        server.drop()
        assert len(await anext(lists)) == 1
        await lists.aclose()
        await connection.ping()
        assert [message for message in server.heard if isinstance(message, WatchYourMatches)][-1].on is False


async def test_the_list_of_live_matches_is_followed_across_connections() -> None:
    async with FakeServer() as server, connected(server) as connection:
        lists = connection.lobby.live_matches()
        assert [summary.match for summary in await anext(lists)] == ["m1"]
        server.drop()
        assert len(await anext(lists)) == 1
        await lists.aclose()
        await connection.ping()
        assert [message for message in server.heard if isinstance(message, WatchLobby)][-1] == WatchLobby(on=False)


async def test_a_message_that_is_too_long_is_refused_before_it_is_sent() -> None:
    sent: list[bytes] = []
    question = Explore(requests.new_id(), Line("morris", "", moves=("a1-a4 " * 10,) * 400))
    with pytest.raises(RefusedError, match="too long") as refused:
        await requests.Requests(sent.append).ask(question, Explored)
    assert (refused.value.code, sent) == (Code.MALFORMED, [])

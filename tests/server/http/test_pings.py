"""How often connections are pinged."""

from collections.abc import Callable
from typing import TypeAlias

import pytest
from websockets.asyncio.server import ServerConnection

from millrace.server.http import session
from millrace.server.http.pings import PLAYER_PING_SECONDS, SPECTATOR_PING_SECONDS, ping_as_player, ping_as_spectator
from tests.server.http.two_players import begin
from tests.server.in_process_server import Served, Visitor

Beat: TypeAlias = Callable[[ServerConnection], None]


async def test_whoever_plays_is_pinged_often_and_others_seldom(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    beats: dict[int, float] = {}

    def note(beat: Beat) -> Beat:
        def note_beat(connection: ServerConnection) -> None:
            beat(connection)
            assert connection.ping_interval is not None
            beats[connection.remote_address[1]] = connection.ping_interval

        return note_beat

    def interval(visitor: Visitor) -> float:
        return beats[visitor.connection.local_address[1]]

    for beat in (ping_as_player, ping_as_spectator):
        monkeypatch.setattr(session, beat.__name__, note(beat))
    ann, ben, match = await begin(served)
    onlooker, again = await served.visitor(), await served.visitor(ann.token)
    for visitor in (onlooker, again):
        await visitor.say("watch", match=match)
        await visitor.hear_until("watching")
    assert [interval(player) for player in (ann, ben, again)] == [PLAYER_PING_SECONDS] * 3
    assert PLAYER_PING_SECONDS < interval(onlooker) <= SPECTATOR_PING_SECONDS

"""Faults of the server itself: what meets one is refused, and the rest of the connection goes on."""

from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from millrace.protocol import Code
from millrace.server.lobby.lists import LobbyLists
from millrace.server.players.accounts.account_store import AccountStore
from millrace.server.rooms import event_log, match_handler
from tests.server.in_process_server import Served
from tests.server.web.two_players import begin, create


class PlannedFaultError(Exception):
    """A fault of the server, as a test makes it."""


def fail(*_: object, **__: object) -> Any:
    raise PlannedFaultError


async def fail_later(*_: object, **__: object) -> Any:
    raise PlannedFaultError


def faults(logs: list[EventDict]) -> list[EventDict]:
    """Return the log's lines about planned faults."""
    return [line for line in logs if isinstance(line.get("exc_info"), PlannedFaultError)]


async def test_a_fault_refuses_the_command_and_keeps_the_connection(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await served.visitor()
    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(AccountStore, "find_named", fail_later)
        refused = await ann.ask("create", id="a-1", game="morris", seats=[{"occupant": "me"}], invited="Ben")
    assert (refused["type"], refused["code"], refused["id"]) == ("refused", Code.INTERNAL_ERROR, "a-1")
    assert "logged" in refused["message"]
    (line,) = faults(logs)
    assert (line["log_level"], line["request"], line["player"]) == ("error", "a-1", ann.player["id"])
    assert await create(ann)


async def test_a_fault_before_the_first_wait_refuses_the_command_too(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, match = await begin(served)
    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(match_handler, "carry_out", fail)
        refused = await ann.ask("play", match=match, seat=0, move="d6")
    assert (refused["code"], refused["match"]) == (Code.INTERNAL_ERROR, match)
    assert len(faults(logs)) == 1
    assert (await ann.ask("play", match=match, seat=0, move="d6"))["type"] == "accepted"


async def test_a_match_that_cannot_be_watched_is_refused_by_its_id(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await served.visitor()
    match = await create(ann)
    with monkeypatch.context() as patch:
        patch.setattr(match_handler, "watch", fail)
        await ann.say("watch", match=match)
        assert (await ann.hear_until("refused", match=match))["code"] == Code.INTERNAL_ERROR
    await ann.say("watch", match=match)
    await ann.hear_until("watching", match=match)


async def test_a_subscription_without_an_id_closes_the_connection(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await served.visitor()
    with monkeypatch.context() as patch:
        patch.setattr(LobbyLists, "watch", fail)
        await ann.say("watch_lobby")
        assert (await ann.closed())[0] == 1011


async def test_a_fault_after_storing_loses_nothing(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben, match = await begin(served)
    with monkeypatch.context() as patch:
        patch.setattr(event_log, "match_event_of", fail)
        refused = await ann.ask("play", id="a-1", match=match, seat=0, move="d6")
    assert refused["code"] == Code.INTERNAL_ERROR
    accepted = await ann.ask("play", id="a-1", match=match, seat=0, move="d6")
    seq, moved = accepted["seq"], await ben.hear_event("moved")
    assert (moved["seq"], moved["event"]["move"]) == (seq, "d6")
    await ben.say("play", id="b-1", match=match, seat=1, move="f4")
    assert (await ben.hear_event("moved"))["seq"] == seq + 1

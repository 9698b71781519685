"""Routes: every message has exactly one handler, and API tokens may send what their scopes allow."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import get_args

import pytest

from millrace.protocol import (
    ChallengeOnLadder,
    ClientMessage,
    Code,
    Create,
    CreateTournament,
    DeleteAccount,
    Hello,
    IdentityId,
    Join,
    ListTokens,
    Message,
    Ping,
    Play,
    Player,
    Preview,
    Resign,
    Say,
    Scope,
    StartSimul,
    SwitchableFeature,
    Unwatch,
    Watch,
)
from millrace.protocol.refusal import Refusal
from millrace.server.app.application import Application
from millrace.server.app.stores import open_storage
from millrace.server.callers.caller import Authentication
from millrace.server.callers.feature import Access, Route, Routes, require_access, routes_by_message
from millrace.server.callers.presence import Credential
from millrace.server.runtime.settings import Settings
from tests.server.in_process_server import FirstMoveBots

OWNER = Player(IdentityId("guest-1"), "Beatrix", registered=True)
SESSION = Authentication(OWNER, "session_x", Credential("x"))
ANSWERED_BY_THE_SESSION = {Hello, Ping}


@pytest.fixture
async def routes(tmp_path: Path) -> AsyncIterator[Routes]:
    """The routes of the whole application."""
    stores = await open_storage(f"sqlite:///{tmp_path / 'test.sqlite3'}")
    yield Application(Settings(data_dir=tmp_path), stores, FirstMoveBots()).routes
    await stores.close()


def token(*scopes: Scope) -> Authentication:
    return Authentication(OWNER, "api_x", Credential("x"), is_api=True, scopes=frozenset(scopes))


def is_allowed(route: Route[Message], authentication: Authentication) -> bool:
    try:
        require_access(route.access, authentication)
    except Refusal as refusal:
        return refusal.code is not Code.SCOPE_NEEDED
    return True


def messages() -> Iterator[type[Message]]:
    yield from get_args(ClientMessage)


async def test_every_message_has_exactly_one_handler(routes: Routes) -> None:
    assert set(routes) == set(messages()) - ANSWERED_BY_THE_SESSION


def test_two_handlers_of_one_message_are_an_error() -> None:
    async def handle(*_: object) -> None:
        """Do nothing."""

    with pytest.raises(AssertionError):
        routes_by_message([Route(Say, handle), Route(Say, handle)])


@pytest.mark.parametrize(
    ("message", "scope"),
    [
        (Watch, Scope.READ),
        (Preview, Scope.READ),
        (Play, Scope.PLAY),
        (Resign, Scope.PLAY),
        (Create, Scope.CHALLENGE),
        (Join, Scope.CHALLENGE),
        (ChallengeOnLadder, Scope.CHALLENGE),
        (Say, Scope.CHAT),
    ],
)
async def test_a_message_needs_exactly_its_scope(routes: Routes, message: type[Message], scope: Scope) -> None:
    assert is_allowed(routes[message], token(scope))
    assert not is_allowed(routes[message], token(*(set(Scope) - {scope})))


@pytest.mark.parametrize("message", [Create, ChallengeOnLadder, CreateTournament, StartSimul])
async def test_what_begins_matches_can_be_switched_off(routes: Routes, message: type[Message]) -> None:
    assert routes[message].feature is SwitchableFeature.MATCHES


async def test_only_unwatch_needs_no_scope(routes: Routes) -> None:
    assert {kind for kind, route in routes.items() if route.access is Access.ANY_TOKEN} == {Unwatch}
    assert is_allowed(routes[Unwatch], token(Scope.CHAT))


@pytest.mark.parametrize("message", [ListTokens, DeleteAccount])
async def test_no_token_manages_the_account_and_every_session_does(routes: Routes, message: type[Message]) -> None:
    assert not is_allowed(routes[message], token(*Scope))
    assert is_allowed(routes[message], SESSION)

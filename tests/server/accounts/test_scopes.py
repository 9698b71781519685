"""What API tokens may do: the scope that each message needs, and what no token may."""

from typing import get_args

import pytest

from millrace.server.accounts.scopes import require_scope, scope_of
from millrace.server.identity.caller import Authentication
from millrace.server.identity.presence import Credential
from millrace.server.protocol import (
    ClientMessage,
    Code,
    CommandId,
    Create,
    DeleteAccount,
    IdentityId,
    Join,
    ListTokens,
    MatchId,
    Ping,
    Play,
    Player,
    Preview,
    Resign,
    Say,
    Scope,
    Unwatch,
    Watch,
)
from millrace.server.protocol.refusal import Refusal

ID, MATCH = CommandId("c"), MatchId("m")
OWNER = Player(IdentityId("guest-1"), "Beatrix", registered=True)
NEEDED: list[tuple[ClientMessage, Scope]] = [
    (Watch(MATCH), Scope.READ),
    (Preview(ID, "morris"), Scope.READ),
    (Play(ID, MATCH, 0, "d6"), Scope.PLAY),
    (Resign(ID, MATCH, 0), Scope.PLAY),
    (Create(ID, "morris", ()), Scope.CHALLENGE),
    (Join(ID, MATCH), Scope.CHALLENGE),
]


def token(*scopes: Scope) -> Authentication:
    return Authentication(OWNER, "api_x", Credential("x"), is_api=True, scopes=frozenset(scopes))


def is_allowed(message: ClientMessage, authentication: Authentication) -> bool:
    try:
        require_scope(message, authentication)
    except Refusal as refusal:
        return refusal.code is not Code.SCOPE_NEEDED
    return True


@pytest.mark.parametrize(("message", "scope"), NEEDED, ids=lambda each: type(each).__name__)
def test_a_message_needs_exactly_its_scope(message: ClientMessage, scope: Scope) -> None:
    assert is_allowed(message, token(scope))
    assert not is_allowed(message, token(*(set(Scope) - {scope})))


def test_a_sign_of_life_and_the_end_of_watching_need_nothing() -> None:
    for message in (Ping(), Unwatch(MATCH)):
        assert is_allowed(message, token(Scope.CHAT))


def test_no_token_manages_the_account_and_every_session_does() -> None:
    for message in (ListTokens(ID), DeleteAccount(ID, "x")):
        assert not is_allowed(message, token(*Scope))
        assert is_allowed(message, Authentication(OWNER, "session_x", Credential("x")))


def test_whatever_the_protocol_has_needs_a_scope_but_for_two() -> None:
    assert {kind for kind in get_args(ClientMessage) if scope_of(kind) is None} == {Ping, Unwatch}
    assert scope_of(Say) is Scope.CHAT

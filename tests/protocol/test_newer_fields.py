"""Data from a newer release is read without unknown fields; messages from clients are not."""

import msgspec
import pytest
from msgspec import inspect

from millrace.protocol import (
    Event,
    MalformedError,
    ServerMessage,
    parse_client_message,
    parse_event,
    parse_server_message,
)
from millrace.protocol.newer_fields import known_part
from tests.server.plain_values import examples


def test_every_event_is_read_despite_added_fields_at_any_depth() -> None:
    of_event = inspect.type_info(Event)
    pairs = list(zip(examples(of_event), examples(of_event, are_newer=True), strict=True))
    kinds = {type(parse_event(msgspec.json.encode(older))) for older, _ in pairs}
    assert len(kinds) == len(Event.__args__), "every kind occurs"
    for older, newer in pairs:
        assert parse_event(msgspec.json.encode(newer)) == parse_event(msgspec.json.encode(older))


def test_every_message_from_a_server_is_read_despite_added_fields() -> None:
    of_message = inspect.type_info(ServerMessage)
    for older, newer in zip(examples(of_message), examples(of_message, are_newer=True), strict=True):
        assert parse_server_message(msgspec.json.encode(newer)) == parse_server_message(msgspec.json.encode(older))


def test_an_event_of_an_unknown_kind_or_with_a_wrong_field_is_still_refused() -> None:
    for body in (b'{"type":"tournament_began"}', b'{"type":"taken_back","ply":"one","newer":1}', b"[]", b"{"):
        with pytest.raises(MalformedError):
            parse_event(body)


def test_an_unknown_field_from_a_client_is_refused() -> None:
    with pytest.raises(MalformedError, match="nonsense"):
        parse_client_message(b'{"type":"ping","nonce":1,"nonsense":2}')


def test_keys_of_a_map_are_not_fields() -> None:
    kind = inspect.type_info(dict[str, int])
    assert known_part({"any": 1, "other": 2}, kind) == {"any": 1, "other": 2}

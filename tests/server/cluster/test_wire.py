"""Events between nodes, also between nodes of different versions."""

import importlib
import pkgutil
from collections.abc import Sequence

import msgspec
import pytest
from msgspec import inspect

import millrace.server
from millrace.protocol import IdentityId, Player
from millrace.server.cluster.events import AccountDeleted, BlocksChanged, ReportsChanged, SharedEvent
from millrace.server.cluster.wire import Envelope, decode, encode, open_envelope
from tests.server.plain_values import examples

PREPARING = "millrace.server.bots.fork_server"
"""The module whose import prepares the process of the bots' workers, and loads every search."""


def sent(kind: str, event: object) -> bytes:
    """Return what another version sends."""
    return msgspec.msgpack.encode(["0000000a", 1, kind, event])


@pytest.mark.parametrize(
    "event",
    [
        ReportsChanged(),
        BlocksChanged(IdentityId("a"), IdentityId("b")),
        AccountDeleted(IdentityId("a"), Player(IdentityId("b"), "Deleted player")),
    ],
)
def test_an_event_round_trips(event: SharedEvent) -> None:
    envelope = decode(encode(event, "0000000a", 7))
    assert (envelope.node, envelope.connection) == ("0000000a", 7)
    assert open_envelope(envelope) == event


def test_an_unknown_kind_is_ignored() -> None:
    assert open_envelope(decode(sent("TournamentBegan", {"name": "Spring"}))) is None


def shared_kinds() -> Sequence[type[SharedEvent]]:
    """Return every kind of event that a node sends to the others."""
    for module in pkgutil.walk_packages(millrace.server.__path__, "millrace.server."):
        if module.name != PREPARING:
            importlib.import_module(module.name)
    found, kinds = [SharedEvent], list[type[SharedEvent]]()
    while found:
        kinds += (below := found.pop().__subclasses__())
        found += below
    return [kind for kind in kinds if kind.__module__.startswith("millrace.server.")]


@pytest.mark.parametrize("kind", shared_kinds())
def test_fields_added_by_a_newer_version_at_any_depth_are_ignored(kind: type[SharedEvent]) -> None:
    of_kind = inspect.type_info(kind)
    for older, newer in zip(examples(of_kind), examples(of_kind, are_newer=True), strict=True):
        event = open_envelope(decode(sent(kind.__name__, newer)))
        assert isinstance(event, kind)
        assert event == open_envelope(decode(sent(kind.__name__, older)))
        assert event == open_envelope(decode(encode(event, "0000000a", 1))), "what is read can be sent"


@pytest.mark.parametrize("kind", shared_kinds())
def test_a_field_with_a_default_may_be_missing(kind: type[SharedEvent]) -> None:
    *_, without = examples(inspect.type_info(kind))
    assert isinstance(open_envelope(decode(sent(kind.__name__, without))), kind)


def test_an_envelope_may_have_unknown_fields() -> None:
    payload = msgspec.msgpack.encode(["0000000a", 1, "ReportsChanged", {}, "traced"])
    assert open_envelope(decode(payload)) == ReportsChanged()


@pytest.mark.parametrize("payload", [b"\xc1", b"", b"hello", msgspec.msgpack.encode({"node": "a"})])
def test_a_message_that_is_not_an_envelope_is_refused(payload: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(payload)


def test_an_event_without_a_required_field_is_refused() -> None:
    envelope = Envelope("0000000a", 1, "BlocksChanged", msgspec.Raw(msgspec.msgpack.encode({"identity": "a"})))
    with pytest.raises(msgspec.DecodeError):
        open_envelope(envelope)

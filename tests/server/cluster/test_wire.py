"""Events as they travel between nodes, also between nodes of different versions."""

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
def test_an_event_arrives_as_it_was_sent(event: SharedEvent) -> None:
    envelope = decode(encode(event, "0000000a", 7))
    assert (envelope.node, envelope.connection) == ("0000000a", 7)
    assert open_envelope(envelope) == event


def test_a_kind_that_this_version_does_not_know_is_ignored() -> None:
    assert open_envelope(decode(sent("TournamentBegan", {"name": "Spring"}))) is None


def test_fields_that_this_version_does_not_know_are_ignored() -> None:
    payload = sent("BlocksChanged", {"identity": "a", "other": "b", "reason": "spam"})
    assert open_envelope(decode(payload)) == BlocksChanged(IdentityId("a"), IdentityId("b"))


def shared_kinds() -> Sequence[type[SharedEvent]]:
    """Return every kind of event that a node sends to the others."""
    for module in pkgutil.walk_packages(millrace.server.__path__, "millrace.server."):
        importlib.import_module(module.name)
    found, kinds = [SharedEvent], list[type[SharedEvent]]()
    while found:
        kinds += (below := found.pop().__subclasses__())
        found += below
    return [kind for kind in kinds if kind.__module__.startswith("millrace.server.")]


@pytest.mark.parametrize("kind", shared_kinds())
def test_whatever_fields_a_newer_version_adds_at_any_depth_the_rest_is_read(kind: type[SharedEvent]) -> None:
    of_kind = inspect.type_info(kind)
    for older, newer in zip(examples(of_kind), examples(of_kind, are_newer=True), strict=True):
        event = open_envelope(decode(sent(kind.__name__, newer)))
        assert isinstance(event, kind)
        assert event == open_envelope(decode(sent(kind.__name__, older)))
        assert event == open_envelope(decode(encode(event, "0000000a", 1))), "what is read can be sent"


@pytest.mark.parametrize("kind", shared_kinds())
def test_a_field_that_has_a_default_may_be_missing(kind: type[SharedEvent]) -> None:
    *_, without = examples(inspect.type_info(kind))
    assert isinstance(open_envelope(decode(sent(kind.__name__, without))), kind)


def test_an_envelope_may_have_more_than_this_version_knows() -> None:
    payload = msgspec.msgpack.encode(["0000000a", 1, "ReportsChanged", {}, "traced"])
    assert open_envelope(decode(payload)) == ReportsChanged()


@pytest.mark.parametrize("payload", [b"\xc1", b"", b"hello", msgspec.msgpack.encode({"node": "a"})])
def test_what_is_no_envelope_is_refused(payload: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(payload)


def test_an_event_without_a_field_that_it_needs_is_refused() -> None:
    envelope = Envelope("0000000a", 1, "BlocksChanged", msgspec.Raw(msgspec.msgpack.encode({"identity": "a"})))
    with pytest.raises(msgspec.DecodeError):
        open_envelope(envelope)

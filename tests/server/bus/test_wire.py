"""Events as they travel between nodes, also between nodes of different versions."""

import msgspec
import pytest

from millrace.server.bus.events import AccountDeleted, BlocksChanged, ReportsChanged, SharedEvent
from millrace.server.bus.wire import Envelope, decode, encode, open_envelope
from millrace.server.protocol import IdentityId, Player


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

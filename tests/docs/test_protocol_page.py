"""The examples of `docs/protocol.md` and `protocol/examples.jsonl` are messages, and every message has one."""

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest

from millrace.protocol import (
    ClientMessage,
    Event,
    MatchEvent,
    MatchEvents,
    ServerMessage,
    encode,
    parse_client_message,
    parse_event,
    parse_server_message,
)
from millrace.server.web.message_limit import MALFORMED_COST, MESSAGES
from millrace.server.web.outboxes import OUTBOX_KIB
from millrace.server.web.pings import PLAYER_PING_SECONDS, PONG_SECONDS, SPECTATOR_PING_SECONDS
from millrace.server.web.session import HELLO_SECONDS
from tests.docs.examples import PAGE, Example, read_examples
from tests.project.repository import ROOT
from tools.protocol import example_lines

NAMES = {
    label: {re.sub(r"(?<!^)(?=[A-Z])", "_", message.__name__).lower() for message in get_args(messages)}
    for label, messages in (("client", ClientMessage), ("server", ServerMessage), ("event", Event))
}
"""The types of messages, by whose they are."""


def read_lines() -> Iterator[Example]:
    """Yield the examples that are beside the messages, each with the label that it would have on the page."""
    for line in example_lines(ROOT):
        kind = msgspec.json.decode(line)["type"]
        (label,) = (label for label, names in NAMES.items() if kind in names)
        yield Example(label, line)


ON_PAGE = read_examples()
BESIDE_MESSAGES = [*read_lines()]
EXAMPLES = [*ON_PAGE, *BESIDE_MESSAGES]


def is_shown_in(shown: Any, whole: Any) -> bool:
    """Return whether a part is contained in the whole, which may have more fields."""
    if isinstance(shown, dict) and isinstance(whole, dict):
        return all(key in whole and is_shown_in(shown[key], whole[key]) for key in shown)
    if isinstance(shown, list) and isinstance(whole, list):
        return len(shown) == len(whole) and all(map(is_shown_in, shown, whole))
    return bool(shown == whole)


def examples_of(is_wanted: Callable[[Example], bool]) -> pytest.MarkDecorator:
    wanted = [each for each in EXAMPLES if is_wanted(each)]
    return pytest.mark.parametrize("example", wanted, ids=lambda each: f"{each.label} {each.document['type']}")


def test_every_example_names_its_sender() -> None:
    assert all(each.is_from_client or each.is_from_server or each.label == "event" for each in EXAMPLES)
    assert PAGE.read_text(encoding="utf-8").count("```") == 2 * len(ON_PAGE)


@examples_of(lambda example: example.is_from_client)
def test_an_example_from_a_client_parses_as_shown(example: Example) -> None:
    whole = msgspec.json.decode(encode(parse_client_message(example.text)))
    assert is_shown_in(example.document, whole)


@examples_of(lambda example: example.is_from_server)
def test_an_example_from_the_server_is_encoded_as_shown(example: Example) -> None:
    assert msgspec.json.decode(encode(parse_server_message(example.text))) == example.document


@examples_of(lambda example: example.label == "event")
def test_an_example_of_an_event_is_encoded_as_shown(example: Example) -> None:
    assert msgspec.json.decode(encode(parse_event(example.text))) == example.document


def test_every_message_and_event_has_an_example_of_its_own() -> None:
    for label, names in NAMES.items():
        assert {each.document["type"] for each in BESIDE_MESSAGES if each.label == label} == names


def test_the_events_of_the_whole_match_are_numbered_without_gaps() -> None:
    for person in ("Ann", "Ben"):
        seqs: list[int] = []
        for example in ON_PAGE:
            if example.label == f"{person} hears":
                message = parse_server_message(example.text)
                if isinstance(message, MatchEvent):
                    seqs.append(message.seq)
                elif isinstance(message, MatchEvents):
                    seqs.extend(event.seq for event in message.events)
        assert seqs == list(range(1, len(seqs) + 1))


def test_the_limits_are_those_of_the_server() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert MALFORMED_COST == 10
    assert "counts as eleven" in MESSAGES.counts
    assert f"| {OUTBOX_KIB.connection} KiB, then the server closes the connection |" in page
    assert f"within {HELLO_SECONDS:g} s of connecting" in page.replace("\n", " ")
    pings = f"every {PLAYER_PING_SECONDS:g} s to players and at least every {SPECTATOR_PING_SECONDS:g} s to others"
    limit = f"{pings}; it closes a connection that has not answered one after {PONG_SECONDS:g} s"
    assert limit in page.replace("\n", " ")

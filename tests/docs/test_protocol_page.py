"""Every message that `docs/protocol.md` shows is one, and every message there is, is shown."""

import re
from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest

from millrace.protocol import (
    ClientMessage,
    Code,
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
from tools.protocol.docstrings import read_member_docs

EXAMPLES = read_examples()


def names_of(messages: Any) -> set[str]:
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", message.__name__).lower() for message in get_args(messages)}


def is_shown_in(shown: Any, whole: Any) -> bool:
    """Return whether all that is shown stands in the whole, which may have more fields."""
    if isinstance(shown, dict) and isinstance(whole, dict):
        return all(key in whole and is_shown_in(shown[key], whole[key]) for key in shown)
    if isinstance(shown, list) and isinstance(whole, list):
        return len(shown) == len(whole) and all(map(is_shown_in, shown, whole))
    return bool(shown == whole)


def examples_of(is_wanted: Callable[[Example], bool]) -> pytest.MarkDecorator:
    wanted = [each for each in EXAMPLES if is_wanted(each)]
    return pytest.mark.parametrize("example", wanted, ids=lambda each: f"{each.label} {each.document['type']}")


def test_every_example_says_whose_it_is() -> None:
    assert all(each.is_from_client or each.is_from_server or each.label == "event" for each in EXAMPLES)
    assert PAGE.read_text(encoding="utf-8").count("```") == 2 * len(EXAMPLES)


@examples_of(lambda example: example.is_from_client)
def test_an_example_from_a_client_parses_as_what_it_shows(example: Example) -> None:
    whole = msgspec.json.decode(encode(parse_client_message(example.text)))
    assert is_shown_in(example.document, whole)


@examples_of(lambda example: example.is_from_server)
def test_an_example_from_the_server_is_encoded_so(example: Example) -> None:
    assert msgspec.json.decode(encode(parse_server_message(example.text))) == example.document


@examples_of(lambda example: example.label == "event")
def test_an_example_of_an_event_is_encoded_so(example: Example) -> None:
    assert msgspec.json.decode(encode(parse_event(example.text))) == example.document


def test_every_message_and_event_has_an_example_of_its_own() -> None:
    for label, messages in (("client", ClientMessage), ("server", ServerMessage), ("event", Event)):
        assert {each.document["type"] for each in EXAMPLES if each.label == label} == names_of(messages)


def test_every_code_of_refusal_is_explained() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    docs = read_member_docs(Code)
    assert listed == [(code.value, docs[code.name]) for code in Code]


def test_the_events_of_the_whole_match_are_numbered_without_gaps() -> None:
    for person in ("Ann", "Ben"):
        seqs: list[int] = []
        for example in EXAMPLES:
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

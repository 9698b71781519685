"""The documents and JavaScript types that are written from the protocol's message types."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from millrace.protocol import ClientMessage, Event, ServerMessage
from millrace.protocol.generation import Documents, generate_documents, read_examples
from tests.project.repository import ROOT

COMMAND = "python -m millrace.protocol.generation"
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def documents() -> Documents:
    return generate_documents(PAGE)


@pytest.mark.parametrize("path", ["client/web/protocol.js", "docs/protocol.schema.json", "docs/asyncapi.json"])
def test_a_generated_file_is_up_to_date(documents: Documents, path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert text == documents[path], f"{path} is out of date; run `{COMMAND}` and commit what it writes."


def test_every_file_is_compared(documents: Documents) -> None:
    assert len(documents) == 3


def test_generating_twice_writes_the_same(documents: Documents) -> None:
    assert generate_documents(PAGE) == documents


def test_every_message_and_event_has_a_typedef_and_a_definition(documents: Documents) -> None:
    typedefs = set(re.findall(r"\} (\w+)$|^ \*   (\w+)$", documents["client/web/protocol.js"], re.MULTILINE))
    definitions = json.loads(documents["docs/protocol.schema.json"])["$defs"]
    for message in (*get_args(ClientMessage), *get_args(ServerMessage), *get_args(Event)):
        assert message.__name__ in {name for pair in typedefs for name in pair}
        assert definitions[message.__name__]["description"]


def test_every_message_crosses_the_channel_in_its_direction(documents: Documents) -> None:
    api = json.loads(documents["docs/asyncapi.json"])
    for operation, messages in (("receiveClientMessage", ClientMessage), ("sendServerMessage", ServerMessage)):
        names = [follow(api, reference["$ref"])["$ref"] for reference in api["operations"][operation]["messages"]]
        assert names == [f"#/components/messages/{message.__name__}" for message in get_args(messages)]


def test_every_message_of_the_asyncapi_document_has_an_example_and_a_summary(documents: Documents) -> None:
    examples = read_examples(PAGE)
    for message in json.loads(documents["docs/asyncapi.json"])["components"]["messages"].values():
        assert message["summary"]
        assert message["examples"] == [{"payload": examples[message["name"]]}]


@pytest.mark.parametrize("path", ["docs/protocol.schema.json", "docs/asyncapi.json"])
def test_every_reference_resolves(documents: Documents, path: str) -> None:
    document = json.loads(documents[path])
    references = set(find_references(document))
    assert references
    for reference in references:
        follow(document, reference)


def follow(document: Any, reference: str) -> Any:
    part = document
    for step in reference.removeprefix("#/").split("/"):
        part = part[step]
    return part


def find_references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from find_references(value)
    elif isinstance(part, list):
        for value in part:
            yield from find_references(value)

"""The files made from the protocol's messages."""

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest

from millrace.protocol import ClientMessage, Code, Event, ServerMessage
from tests.project.repository import ROOT
from tools.made_files import PROTOCOL_FILES
from tools.protocol import protocol_files, read_examples
from tools.protocol.docstrings import read_member_docs

JAVASCRIPT, SCHEMA, ASYNCAPI, REFERENCE = PROTOCOL_FILES


@pytest.fixture(scope="module")
def documents() -> Mapping[str, str]:
    return protocol_files(ROOT)


def test_every_file_is_made(documents: Mapping[str, str]) -> None:
    assert tuple(documents) == PROTOCOL_FILES
    for path, text in documents.items():
        assert (ROOT / path).read_text(encoding="utf-8") == text


def test_generating_twice_writes_the_same(documents: Mapping[str, str]) -> None:
    assert protocol_files(ROOT) == documents


def test_every_message_and_event_has_a_typedef_and_a_definition(documents: Mapping[str, str]) -> None:
    typedefs = set(re.findall(r"\} (\w+)$|^ \*   (\w+)$", documents[JAVASCRIPT], re.MULTILINE))
    definitions = json.loads(documents[SCHEMA])["$defs"]
    for message in (*get_args(ClientMessage), *get_args(ServerMessage), *get_args(Event)):
        assert message.__name__ in {name for pair in typedefs for name in pair}
        assert definitions[message.__name__]["description"]


def test_every_message_crosses_the_channel_in_its_direction(documents: Mapping[str, str]) -> None:
    api = json.loads(documents[ASYNCAPI])
    for operation, messages in (("receiveClientMessage", ClientMessage), ("sendServerMessage", ServerMessage)):
        names = [follow(api, reference["$ref"])["$ref"] for reference in api["operations"][operation]["messages"]]
        assert names == [f"#/components/messages/{message.__name__}" for message in get_args(messages)]


def test_every_message_of_the_asyncapi_document_has_an_example_and_a_summary(documents: Mapping[str, str]) -> None:
    examples = read_examples(ROOT)
    for message in json.loads(documents[ASYNCAPI])["components"]["messages"].values():
        assert message["summary"]
        assert message["examples"] == [{"payload": example} for example in examples[message["name"]]]


@pytest.mark.parametrize("path", [SCHEMA, ASYNCAPI])
def test_every_reference_resolves(documents: Mapping[str, str], path: str) -> None:
    document = json.loads(documents[path])
    references = set(find_references(document))
    assert references
    for reference in references:
        follow(document, reference)


def test_the_reference_shows_every_message_with_its_fields_and_an_example(documents: Mapping[str, str]) -> None:
    page = documents[REFERENCE]
    sections = dict(re.findall(r'<h3 id="(\w+)">(.*?)(?=<h[23] |</main>)', page, re.DOTALL))
    for message in (*get_args(ClientMessage), *get_args(ServerMessage), *get_args(Event)):
        section = sections[message.__name__]
        shown = [json.loads(html.unescape(example)) for example in re.findall("<pre>(.*?)</pre>", section)]
        assert shown
        for field in message.__struct_fields__:
            assert f"<td><code>{field}</code>" in section


def test_the_reference_explains_every_code_of_refusal(documents: Mapping[str, str]) -> None:
    (section,) = re.findall(r'<h3 id="Code">(.*?)<h[23]', documents[REFERENCE], re.DOTALL)
    listed = re.findall(r"- <code>(\w+)</code>: (.+?)(?:<br>|</p>)", section)
    docs = read_member_docs(Code)
    shown = [(code, re.sub("</?code>", "`", html.unescape(text))) for code, text in listed]
    assert shown == [(code.value, docs[code.name]) for code in Code]


def test_every_link_of_the_reference_leads_to_a_part_of_it(documents: Mapping[str, str]) -> None:
    targets = re.findall(r'id="(\w+)"', documents[REFERENCE])
    assert len(targets) == len(set(targets))
    assert set(re.findall(r'href="#(\w+)"', documents[REFERENCE])) <= set(targets)


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

"""What is imported is exported unchanged, or the import says what is not: any headers, and any parentheses."""

import pickle
import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.server.archive.forms import FORMS
from millrace.server.archive.imports import prepare_imports
from millrace.server.archive.record import MatchRecord, RecordError
from millrace.server.archive.record_reader import read_matches
from millrace.server.archive.record_text import EVENTS

SITE = "https://millrace.example/match/k7m2p9qa4xzt"
FREE_TAGS = ["Event", "Site", "Source", "Round", "Date", "UTCDate", "UTCTime", "UTCEnd", "Annotator", "ECO"]
FREE_TAGS += ["TimeControl", "TimeLimit", "Termination", "PlyCount", "WhiteElo", "BlackRating", "WhiteType", "Flying"]
FIELD_TAGS = ["Rated", "Void", "SetUp", "Variant", "Rules", "GameType", "Seat1", "Seat2", "White", "Result"]
VALUES = [*EVENTS.values(), "?", "-", "", "0", "1", "yes", "on", "Standard", "Without flying", "Ann", "x  y", "300+2"]
VALUES += ["2020.02.03", "10:00:00", "2", "1500", "program", "1-0", SITE, "https://elsewhere.example/match/7"]


def exported(text: str) -> tuple[str, tuple[str, ...]]:
    """Import a match, and return its export and what the import has said. Raises: RecordError."""
    taken_in = pickle.loads(prepare_imports(text, "morris", "ann", 1, 0)[0])
    stored = msgspec.json.decode(taken_in.record, type=MatchRecord)
    return FORMS["txt"].text_of(replace(stored, id="k7m2p9qa4xzt", imported=True), SITE), taken_in.changes


def is_said_otherwise(name: str, value: str, tags: dict[str, str], text: str) -> bool:
    """Return whether the meaning of a header is in another one, or it has none."""
    seats = {"Seat1": "White", "Seat2": "Black"}
    return (
        (value == "" and name in FIELD_TAGS)
        or (name, value) in (("Rated", "1"), ("Result", "?"))
        or (name in seats and seats[name] not in tags and f'[{seats[name]} "{" ".join(value.split())}"]' in text)
        or (name == "White" and f'[White "{" ".join(value.split())}"]' in text)
        or (value == "Without flying" and '[Position "flying=off"]' in text)
    )


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(FREE_TAGS + FIELD_TAGS), st.sampled_from(VALUES), max_size=5))
def test_every_header_comes_out_unchanged_or_is_refused_or_named(tags: dict[str, str]) -> None:
    written = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    try:
        text, changes = exported(f"{written}\n1. d6 f4 {tags.get('Result', '*')}\n")
    except RecordError:
        return
    lines = text.splitlines()
    for name, value in tags.items():
        is_kept = f'[{name} "{value}"]' in lines
        assert is_kept or is_said_otherwise(name, value, tags, text) or re.search(rf"\b{name}\b", " ".join(changes))


@pytest.mark.parametrize("tag", [*(f'[Event "{kind}"]' for kind in EVENTS.values()), '[Site "?"]', '[Round "?"]'])
def test_a_header_of_our_own_kind_comes_out_unchanged(tag: str) -> None:
    text, changes = exported(f"{tag}\n\n1. d6 f4 *")
    assert tag in text.splitlines()
    assert changes == ()


def test_a_match_without_an_event_is_exported_as_an_import() -> None:
    assert '[Event "Imported match"]' in exported("1. d6 f4 *")[0]


PARENTHESES = ["()", "( )", "({x})", "(1... a1)", "(1... a1 () 2. g7)", "(1...)", "(1... a1 ({x}))", "{}", "{x}"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PARENTHESES), max_size=3))
def test_every_variation_comes_out_or_the_import_says_that_it_does_not(pieces: list[str]) -> None:
    written = " ".join(pieces)
    text, changes = exported(f"1. d6 f4 {written} 2. a4 *")
    assert text.count("(") == written.count("(") or "Parentheses without moves were left out." in changes
    assert ("Empty comments were left out." in changes) == ("{}" in pieces)
    assert len(changes) == ("{}" in pieces) + (text.count("(") != written.count("("))


def test_an_empty_variation_in_json_is_refused() -> None:
    record = '{"game":"morris","seats":[],"plies":[{"move":"d6","note":{"variations":["{x}"]}}]}'
    with pytest.raises(RecordError, match="has no moves"):
        list(read_matches(record))

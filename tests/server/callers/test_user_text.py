"""One rule for the characters of names, chat lines, profiles and imported matches."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol.refusal import Refusal
from millrace.server.archive.record_reader import read_matches
from millrace.server.callers.names import check_name
from millrace.server.callers.user_text import MAX_MARKS, is_showable, showable_part
from millrace.server.chat.chat_handler import ACCOUNT_CHARACTERS, tidy
from millrace.server.players.profiles.profile_rules import tidy_bio

JOINER, NON_JOINER, ACUTE = "\u200d", "\u200c", "\u0301"
FAMILY = f"\U0001f468{JOINER}\U0001f469{JOINER}\U0001f467"
PERSIAN = f"\u0645\u06cc{NON_JOINER}\u062e\u0648\u0627\u0647\u0645"
"""A verb with its prefix, which a non-joiner parts from it."""

ALLOWED = {
    "joined emoji": FAMILY,
    "an emoji with a variation selector": f"\u2764\ufe0f{JOINER}\U0001f525",
    "a non-joiner within a word": PERSIAN,
    "four marks on a letter": "m" + MAX_MARKS * ACUTE + "ill",
    "marks on several letters": 3 * ("e" + ACUTE),
}
REFUSED = {
    "a zero-width space": "mi\u200bll",
    "a change of direction": "mi\u202ell",
    "a soft hyphen": "mi\u00adll",
    "a blank letter": "\u3164",
    "a joiner alone": JOINER,
    "a non-joiner at the beginning": f"{NON_JOINER}mill",
    "joiners in a row": f"m{JOINER}{JOINER}ill",
    "five marks on a letter": "m" + (MAX_MARKS + 1) * ACUTE + "ill",
    "marks around a joiner": "m" + 3 * ACUTE + JOINER + 3 * ACUTE,
}


def imported_name(text: str) -> str:
    (found,) = read_matches(f'[Game "morris"]\n[White "{text}"]\n[Black "Bob"]\n\n1. d6 f4 *\n')
    return found.record.seats[0].name


@pytest.mark.parametrize("text", ALLOWED.values(), ids=ALLOWED)
def test_visible_characters_are_allowed_in_chat_profiles_and_imports(text: str) -> None:
    assert is_showable(text)
    assert tidy(text, ACCOUNT_CHARACTERS) == tidy_bio(text) == showable_part(text) == imported_name(text) == text


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_invisible_characters_are_refused_in_chat_profiles_and_names(text: str) -> None:
    check: Callable[[str], object]
    for check in (lambda text: tidy(text, ACCOUNT_CHARACTERS), tidy_bio):
        with pytest.raises(Refusal, match="cannot be shown"):
            check(text)
    with pytest.raises(Refusal):
        check_name(f"Ann{text}")


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_invisible_characters_are_removed_from_imported_names(text: str) -> None:
    name = imported_name(text)
    assert is_showable(name)
    assert name


@given(st.text(st.sampled_from("ab \u0301\u0302\u200c\u200d\u200b\u202e\u2800\n\x07"), max_size=30))
def test_the_showable_part_is_showable(text: str) -> None:
    assert is_showable(showable_part(text))


def test_marks_after_a_removed_character_still_count_for_the_letter_before() -> None:
    assert showable_part("m" + 3 * "\u0301" + "\u202e" + 3 * "\u0301") == "m" + 4 * "\u0301"

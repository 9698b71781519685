"""Which chat lines are allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal
from millrace.server.chat.chat_handler import ACCOUNT_CHARACTERS, GUEST_CHARACTERS, tidy


def test_a_line_is_shown_with_single_spaces() -> None:
    assert tidy(" a\tb \n c ", GUEST_CHARACTERS) == "a b c"


@pytest.mark.parametrize("text", ["", "  \n ", "bell\x07", "half \ud800"])
def test_an_empty_line_and_characters_that_cannot_be_shown_are_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        tidy(text, ACCOUNT_CHARACTERS)
    assert refused.value.code is Code.BAD_TEXT


def test_a_guests_line_must_be_shorter_than_that_of_an_account() -> None:
    assert tidy("x" * GUEST_CHARACTERS, GUEST_CHARACTERS)
    with pytest.raises(Refusal):
        tidy("x" * (GUEST_CHARACTERS + 1), GUEST_CHARACTERS)
    assert tidy("x" * ACCOUNT_CHARACTERS, ACCOUNT_CHARACTERS)


@given(st.text(max_size=300))
def test_an_allowed_line_is_its_own_tidy_form(text: str) -> None:
    try:
        line = tidy(text, ACCOUNT_CHARACTERS)
    except Refusal:
        return
    assert tidy(line, ACCOUNT_CHARACTERS) == line
    assert "\n" not in line

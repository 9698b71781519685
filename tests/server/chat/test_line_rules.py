"""What may be said beside the board, on a made-up clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.chat.line_rules import ACCOUNT, GUEST, REPEAT_MS, WINDOW_MS, Measure, Recent, judge, tidy
from millrace.server.protocol import Code
from millrace.server.protocol.refusal import Refusal


def say(recent: Recent, text: str, now_ms: int, measure: Measure = ACCOUNT) -> Recent:
    judge(recent, text, measure, now_ms)
    return recent.after(text, now_ms)


def refusal_of(recent: Recent, text: str, now_ms: int, measure: Measure = ACCOUNT) -> Code:
    with pytest.raises(Refusal) as refused:
        judge(recent, text, measure, now_ms)
    return refused.value.code


@pytest.mark.parametrize("measure", [ACCOUNT, GUEST])
def test_only_so_many_lines_are_said_in_ten_seconds(measure: Measure) -> None:
    recent = Recent()
    for number in range(measure.lines):
        recent = say(recent, f"line {number}", number * 1_000, measure)
    assert refusal_of(recent, "one more", WINDOW_MS - 1, measure) is Code.RATE_LIMITED
    say(recent, "one more", WINDOW_MS, measure)


def test_the_same_is_not_said_twice_in_a_minute() -> None:
    recent = say(Recent(), "Hello", 0)
    assert refusal_of(recent, "hello", REPEAT_MS - 1) is Code.RATE_LIMITED
    say(recent, "hello", REPEAT_MS)


def test_a_line_is_shown_with_single_spaces() -> None:
    assert tidy(" a\tb \n c ", GUEST) == "a b c"


@pytest.mark.parametrize("text", ["", "  \n ", "bell\x07", "turned\u202eround", "half \ud800", "unseen\u200b"])
def test_what_is_empty_or_no_text_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        tidy(text, ACCOUNT)
    assert refused.value.code is Code.BAD_TEXT


def test_a_guests_line_is_shorter_than_that_of_one_with_an_account() -> None:
    assert tidy("x" * GUEST.characters, GUEST)
    with pytest.raises(Refusal):
        tidy("x" * (GUEST.characters + 1), GUEST)
    assert tidy("x" * ACCOUNT.characters, ACCOUNT)


def test_signs_made_of_several_are_let_through() -> None:
    assert tidy("\U0001f468\u200d\U0001f469\u200d\U0001f467 well played", GUEST)


@given(st.text(max_size=300))
def test_a_line_that_is_let_through_is_its_own_tidy_form(text: str) -> None:
    try:
        line = tidy(text, ACCOUNT)
    except Refusal:
        return
    assert tidy(line, ACCOUNT) == line
    assert "\n" not in line

"""Which chat lines are allowed, with times made up by the tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.chat.line_rules import ACCOUNT, GUEST, REPEAT_MS, WINDOW_MS, FloodControl, limits_of, tidy
from millrace.server.protocol import Code, IdentityId, Player
from millrace.server.protocol.refusal import Refusal

ANN = Player(IdentityId("ann"), "Ann", registered=True)
BEN = Player(IdentityId("ben"), "Ben", registered=True)
OTTER = Player(IdentityId("guest"), "Quiet Otter")


def is_refused(control: FloodControl, player: Player, text: str, now_ms: int) -> bool:
    try:
        control.count(player, text, now_ms)
    except Refusal as refusal:
        return refusal.code is Code.RATE_LIMITED
    return False


@pytest.mark.parametrize("player", [ANN, OTTER], ids=["account", "guest"])
def test_a_flood_of_lines_is_refused_until_ten_seconds_have_passed(player: Player) -> None:
    control = FloodControl()
    for number in range(limits_of(player).lines):
        control.count(player, f"line {number}", number * 1_000)
    assert is_refused(control, player, "one more", WINDOW_MS - 1)
    control.count(player, "one more", WINDOW_MS)


def test_each_player_has_their_own_limit() -> None:
    control = FloodControl()
    for number in range(ACCOUNT.lines):
        control.count(ANN, f"line {number}", 0)
    control.count(BEN, "line 0", 0)


def test_the_same_line_is_refused_for_a_minute() -> None:
    control = FloodControl()
    control.count(ANN, "Hello", 0)
    assert is_refused(control, ANN, "hello", REPEAT_MS - 1)
    control.count(ANN, "hello", REPEAT_MS)


def test_a_refused_line_does_not_count() -> None:
    control = FloodControl()
    for number in range(ACCOUNT.lines):
        control.count(ANN, f"line {number}", 0)
    assert is_refused(control, ANN, "one more", 1)
    assert not is_refused(control, ANN, "one more", WINDOW_MS)


def test_a_line_is_shown_with_single_spaces() -> None:
    assert tidy(" a\tb \n c ", GUEST) == "a b c"


@pytest.mark.parametrize("text", ["", "  \n ", "bell\x07", "turned\u202eround", "half \ud800", "unseen\u200b"])
def test_an_empty_line_and_characters_that_cannot_be_shown_are_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        tidy(text, ACCOUNT)
    assert refused.value.code is Code.BAD_TEXT


def test_a_guests_line_must_be_shorter_than_that_of_an_account() -> None:
    assert tidy("x" * GUEST.characters, GUEST)
    with pytest.raises(Refusal):
        tidy("x" * (GUEST.characters + 1), GUEST)
    assert tidy("x" * ACCOUNT.characters, ACCOUNT)


def test_emojis_of_several_characters_are_allowed() -> None:
    assert tidy("\U0001f468\u200d\U0001f469\u200d\U0001f467 well played", GUEST)


@given(st.text(max_size=300))
def test_an_allowed_line_is_its_own_tidy_form(text: str) -> None:
    try:
        line = tidy(text, ACCOUNT)
    except Refusal:
        return
    assert tidy(line, ACCOUNT) == line
    assert "\n" not in line

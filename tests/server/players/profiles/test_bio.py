"""The text that players write about themselves."""

import pytest

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal
from millrace.server.players.profiles.profile_rules import MOST_LINES, check_country, tidy_bio


def test_a_bio_is_tidied_and_markup_stays_text() -> None:
    assert tidy_bio("  <b>Bold</b>  &amp;\tso on \r\n\n\n\nend\n") == "<b>Bold</b> &amp; so on\n\nend"
    assert tidy_bio(" \n ") == ""


@pytest.mark.parametrize("text", ["a\u202eb", "a\x00b", "\n".join("x" * (MOST_LINES + 1))])
def test_invisible_characters_are_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        tidy_bio(text)
    assert refused.value.code is Code.BAD_TEXT


def test_a_country_must_exist_or_be_none() -> None:
    check_country(None)
    check_country("NZ")
    with pytest.raises(Refusal) as refused:
        check_country("XX")
    assert refused.value.code is Code.UNKNOWN_COUNTRY

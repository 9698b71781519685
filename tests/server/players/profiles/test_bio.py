"""The text that players write about themselves."""

import pytest

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal
from millrace.server.players.profiles.bio import MOST_LINES, tidy_bio
from millrace.server.players.profiles.countries import check_country


def test_a_bio_is_tidied_and_markup_stays_as_it_was_written() -> None:
    assert tidy_bio("  <b>Bold</b>  &amp;\tso on \r\n\n\n\nend\n") == "<b>Bold</b> &amp; so on\n\nend"
    assert tidy_bio(" \n ") == ""


@pytest.mark.parametrize("text", ["a\u202eb", "a\x00b", "\n".join("x" * (MOST_LINES + 1))])
def test_what_cannot_be_shown_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        tidy_bio(text)
    assert refused.value.code is Code.BAD_TEXT


def test_a_country_is_one_that_there_is_or_none() -> None:
    check_country(None)
    check_country("NZ")
    with pytest.raises(Refusal) as refused:
        check_country("XX")
    assert refused.value.code is Code.UNKNOWN_COUNTRY

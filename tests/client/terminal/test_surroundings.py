"""Which characters suit a terminal."""

import pytest

from millrace.client.terminal.surroundings import can_move_cursor, suitable_glyphs


@pytest.mark.parametrize(
    ("variables", "encoding", "suitable"),
    [
        ("LANG=de_DE.UTF-8", "utf-8", "colour"),
        ("LC_CTYPE=en_US.utf8", "utf-8", "colour"),
        ("LANG=C", "utf-8", "ascii"),
        ("LC_ALL=C LANG=de_DE.UTF-8", "utf-8", "ascii"),
        ("LANG=C LC_CTYPE=C.UTF-8", "utf-8", "ascii"),
        ("LC_CTYPE=C.UTF-8", "utf-8", "ascii"),
        ("LANG=C.UTF-8 LC_CTYPE=C.UTF-8", "utf-8", "colour"),
        ("LANG=de_DE@euro", "iso8859-15", "ascii"),
        ("LANG=de_DE.UTF-8", "ascii", "ascii"),
        ("SystemRoot=C:", "utf-8", "colour"),
        ("SystemRoot=C:", "cp1252", "ascii"),
        ("LANG=de_DE.UTF-8 NO_COLOR=1", "utf-8", "contrast"),
        ("LANG=de_DE.UTF-8 NO_COLOR=", "utf-8", "colour"),
        ("LANG=C NO_COLOR=1", "utf-8", "ascii"),
        ("LANG=de_DE.UTF-8 COLORFGBG=0;15", "utf-8", "light"),
        ("LANG=de_DE.UTF-8 COLORFGBG=0;default;7", "utf-8", "light"),
        ("LANG=de_DE.UTF-8 COLORFGBG=15;0", "utf-8", "colour"),
        ("LANG=de_DE.UTF-8 COLORFGBG=7;8", "utf-8", "colour"),
    ],
)
def test_the_characters_suit_the_locale_and_the_colours(variables: str, encoding: str, suitable: str) -> None:
    environment = dict(variable.split("=", 1) for variable in variables.split())
    assert suitable_glyphs(environment, encoding).name == suitable


def test_a_terminal_without_a_cursor_gets_lines() -> None:
    assert [can_move_cursor({"TERM": name}) for name in ("dumb", "unknown", "xterm", "")] == [False, False, True, True]
    assert can_move_cursor({})

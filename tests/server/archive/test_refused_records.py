"""Records that cannot be read are refused with the line and the word."""

import pytest

from tests.server.archive.reading import refusal


@pytest.mark.parametrize("signs", ["!!!", "?!?", "±±", "=="])
def test_signs_that_mean_nothing_are_refused(signs: str) -> None:
    assert "is not a move" in refusal(f"1. d6{signs} f4 *")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. d6 f4 (1... d6) *", ["Line 1", "move 1", "d6"]),
        ("1. d6 f4\n2. D6 *", ["Line 2", "move 2", "D6"]),
        ("1. 5 14\n2. 5 *", ["Line 2", "move 2", "'5'", "d6"]),
        ("1. d6 f4\n2. 25 *", ["Line 2", "move 2", "25"]),
        ("1. d6 f4 $999 *", ["Line 1", "$999"]),
        ("$1 1. d6 *", ["Line 1", "$1"]),
        ("(1. d6) *", ["Line 1", "variation"]),
        ('[SetUp "1"]\n1. d6', ["Line 1", "SetUp", "FEN"]),
        ('[SetUp "2"]\n1. d6', ["Line 1", "SetUp"]),
        ('[White "A"]\n[White "B"]\n1. d6', ["Line 2", "White", "A", "B"]),
        ('[Rules "Lasker Morris"]\n1. d6', ["Line 1", "Rules", "Lasker"]),
        ('[Result "1-0"]\n1. d6 *', ["Line 2", "1-0", "*"]),
        ('[Result "White won"]\n1. d6 *', ["Line 1", "White won"]),
        ("*", ["no moves"]),
        ('[White "A]\n1. d6', ["Line 1", "[White"]),
        ('[FEN "********/********/******** w p r 0 9 0 9 1 0 0 0 0 0 0 0 1"]\n1. d6', ["Line 1", "FEN", "pending"]),
        (
            '[FEN "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"]\n[Position "flying=off"]\n1. d6',
            ["FEN", "Position"],
        ),
        ("1 d6 f4 2 a4 *", ["Line 1", "1 is a number", "dot"]),
        ("1. d6 f4\n3. a4 *", ["Line 2", "3."]),
        ("1... f4 2. a4 *", ["Line 1", "1...", "White"]),
        ("1. ... f4", ["Line 1", "..."]),
        ("1. d6 … 2. a4", ["Line 1", "2."]),
        ("1. d6 f4 *\n2. a4 a1 *", ["Line 2", "2."]),
        ("1. d6 f4\n\n1. a4 a1", ["Line 3", "1.", "result"]),
        ("1. d6 f4 (1... a1 3. a4) 2. g7", ["Line 1", "3."]),
        ("0. d6 f4", ["Line 1", "0."]),
        ("1. d6 f4 1-0 0-1", ["Line 1", "1-0", "0-1"]),
        *((f"1. d6 1-0{end}", ["Line", "f4", "1-0"]) for end in (" f4", " {won} f4", " f4 2. a4", "\nf4", "\n% x\nf4")),
        ("d6 f4 * a4 a1 *", ["Line 1", "a4", "*"]),
        ("1. d6 f4 1-0\n1-0", ["Line 2", "1-0"]),
        ("1. d6 f4 (1-0)", ["Line 1", "1-0", "parentheses"]),
        ('1. d6 [White "x"] f4', ["Line 1", "White"]),
        ("1. d6;f4", ["Line 1", ";f4", "comment"]),
        ('[Flying "no"]\n1. d6', ["Line 1", "Flying", "no"]),
        ('[Men "12"]\n1. d6', ["Line 1", "Men", "12"]),
        ('[Game "battlesheep"]\n[Position "seats=2"]\n[Green "Cat"]\n1-0', ["players", "2 seats"]),
        ('{"game":"morris","seats":[],"variant":"x","plies":[{"move":"d6"}]}', ["Line 1", "variant"]),
        ('{"game":"morris","seats":[],"ranks":[1,3],"plies":[{"move":"d6"}]}', ["1:3"]),
        ("(;GM[1];B[dd])", ["GM[1]"]),
        ('{"game":"morris","seats":[],"plies":[{"move":"d6","note":{"variations":["%1. a7"]}}]}', ["begin with %"]),
        ("(;GM[5]\n;W[d6]\n;B[d6])", ["Line 3", "d6"]),
        ("(;GM[5]AW[d6];B[f4])", ["AW"]),
        ("(;GM[5]RE[maybe];W[d6])", ["RE[maybe]"]),
        ("(;GM[5];W[d6]", ["end"]),
        ("(;GM[5];W)", ["W"]),
        ("(;GM[5];W[d6]) and more", ["'and'"]),
        ("(;W[d6])", ["does not name its game"]),
        ("(;GM[5]\r;W[d6]\r;W[f4])", ["Line 3", "f4", "White", "Black"]),
        ("(;GM[5];W[d6]B[f4])", ["B[f4]"]),
        ("(;GM[5](;C[x])(;W[d6]))", ["variation"]),
        ("(;GM[5]RU[Lasker];W[d6])", ["Rules", "Lasker"]),
        ("(;GM[5]HA[2];W[d6])", ["HA[2]"]),
        ("(;GM[5]RE[W+]RE[B+];W[d6])", ["RE[B+]", "1-0"]),
        ("(;GM[5]PW[A]PW[B];W[d6])", ["PW", "A", "B"]),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line_and_its_word(text: str, words: list[str]) -> None:
    message = refusal(text, "" if text.startswith("(;") else "morris")
    assert all(word in message for word in words), message


def test_json_has_the_same_bounds() -> None:
    record = '{"game":"morris","seats":[],"plies":[{"move":"d6","note":%s}]}'
    assert "$999 is not a glyph" in refusal(record % '{"glyphs":[999]}')
    assert "A variation instead of 'd6' cannot be read." in refusal(record % '{"variations":["1. a7 )"]}')
    assert "z9" in refusal(record % '{"variations":["1. z9"]}')

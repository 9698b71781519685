"""Records by people and other programs are read as intended, or refused as `test_refused_records.py` shows."""

# ruff: noqa: RUF001

import base64
import contextlib
import json
import re
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.server.archive.forms import FORMS
from millrace.server.archive.record import RecordError
from millrace.server.archive.record_reader import CHANGES, read_matches
from millrace.server.archive.record_text import format_match
from millrace.server.archive.result_words import format_result
from millrace.server.archive.text_encoding import decode_text
from millrace.server.archive.tokenizer import GLYPHS
from tests.server.archive.reading import moves, read, refusal

IMPORTS = Path(__file__).parent / "imports"
CASES: list[dict[str, Any]] = [
    case for name in ("morris.json", "records.json") for case in json.loads((IMPORTS / name).read_text("utf-8"))
]
READ = [case for case in CASES if "moves" in case]
REFUSED = [case for case in CASES if "refused" in case]
NAMED = {
    "names FEN": ["FEN"],
    "names Variant": ["Variant"],
    "names both results": ["1-0", "0-1"],
    "no moves": ["no moves"],
    "Go": ["Go"],
    "encoding": ["encoding", "windows-1251"],
}
TAG = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)


def content_of(case: dict[str, Any]) -> bytes:
    return base64.b64decode(case["base64"]) if "base64" in case else case["text"].encode()


@pytest.mark.parametrize("case", READ, ids=lambda case: case["name"])
def test_a_record_is_read_as_intended(case: dict[str, Any]) -> None:
    record = read(decode_text(content_of(case))).record
    assert [ply.move for ply in record.plies] == case["moves"]
    assert format_result(record.ranks) == case["result"] if "result" in case else True
    assert record.setup == case.get("setup", "")
    assert record.seats[0].name in (case.get("white", "Ana"), "A")
    tags = dict(TAG.findall(format_match(record)))
    assert {name: tags[name] for name in case.get("exported", {})} == case.get("exported", {})
    assert "UTCTime" not in tags
    assert record.comment == case["comment"] if "comment" in case else True


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["name"])
def test_unknown_text_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as error:
        list(read_matches(decode_text(content_of(case)), "morris"))
    words = str(error.value)
    assert all(named in words for named in NAMED[case["refused"]])


@pytest.mark.parametrize(
    "text",
    [
        "1.d6 f4 2.a4",
        "1.d6 1...f4 2.a4",
        "1. d6 1… f4 2. a4",
        "1. d6 1.… f4 2. a4",
        "1. D6! F4?! 2. A4!!",
        "1. d6$1 f4 $2 2. a4$10$14",
        "1. d6 = f4 ± 2. a4 +-",
        "1. 5 14 2. 10",
        "d6 f4 a4 *",
        "\ufeff1.d6 f4\r\n2.a4\r\n",
        '[White "A"]\r\n\r\n1. d6! {good {not nested} f4?! $3 (1... a1 (a7) {x}) 2. a4 ; the end\r\n*',
        "% an escape\n{A remark\nover lines} 1. d6 1... f4 2. a4 1/2-1/2",
        '[Game "Morris"]\n[White "A \\"B\\" C"]\n1. d6 f4\n2. a4 0-1',
        *("1. d6 2. f4 3. a4", "1. d6 1. f4 2. a4", "1. d6 1... f4 2. a4 2...", "d6 f4 2. a4"),
    ],
)
def test_numbers_glyphs_and_letters_of_all_kinds_are_read_with_anything_between(text: str) -> None:
    assert moves(text) == ["d6", "f4", "a4"]
    assert len(read(text).record.seats) == 2


@pytest.mark.parametrize(
    "written", ["g7xf4", "g7 xf4", "g7:f4", "g7 :f4", "G7XF4", "g7×f4", "g7 ×f4", "3x14", "3 x14", "g7 {a mill} xf4"]
)
def test_a_capture_is_read_in_any_spelling(written: str) -> None:
    assert moves(f"1. a7 b6 2. d7 f4 3. {written} d2") == ["a7", "b6", "d7", "f4", "g7xf4", "d2"]


def test_a_move_with_a_dash_of_any_kind_is_read() -> None:
    setup = '[FEN "@@@*****/********/OOOO**** w m s 4 0 3 0 0 0 0 0 0 0 0 0 20"]'
    for written in ("g1-d1", "g1–d1", "G1—D1", "24-23"):
        assert moves(f"{setup}\n1. {written}") == ["g1-d1"]


@pytest.mark.parametrize("dash", ["-", "–", "—", "−", "→", "⇒", "➔", "->", "=>", "-->"])
@pytest.mark.parametrize("spaces", [("", ""), (" ", " "), (" ", ""), ("", " ")])
@pytest.mark.parametrize(
    ("text", "game", "expected"),
    [("d1@d4 f8@f5", "mingmang", ["d1-d4", "f8-f5"]), ("g1@d1", "morris", ["g1-d1"]), ("24@23", "morris", ["g1-d1"])],
)
def test_a_dash_or_arrow_may_stand_alone(
    dash: str, spaces: tuple[str, str], text: str, game: str, expected: list[str]
) -> None:
    setup = '[FEN "@@@*****/********/OOOO**** w m s 4 0 3 0 0 0 0 0 0 0 0 0 20"]\n' if game == "morris" else ""
    assert moves(f"{setup}1. {text.replace('@', dash.join(spaces))} *", game) == expected


@pytest.mark.parametrize("sign", ["+/-", "+/−", "±", "=+", "+=", "+/=", "N", "TN", "D", "□", "⨀", "⇆", "!?", "$36"])
def test_a_sign_of_judgement_is_kept(sign: str) -> None:
    record = read(f"1. d6 {sign} f4 *").record
    assert [bool(ply.note) for ply in record.plies] == [True, False]
    assert read(format_match(record)).record == record


@pytest.mark.parametrize("sign", sorted(sign for sign in GLYPHS if not re.search("[A-Za-zΔ]", sign)))
def test_a_sign_of_judgement_may_follow_its_move_at_once(sign: str) -> None:
    for written in (f"d6{sign}", f"d6!{sign}" if "!" not in sign and "?" not in sign else f"d6{sign}"):
        record = read(f"1. {written} f4 *").record
        assert [ply.move for ply in record.plies] == ["d6", "f4"]
        assert GLYPHS[sign] in record.plies[0].note.glyphs  # type: ignore[union-attr]


@pytest.mark.parametrize("null", ["--", "––", "−−", "Z0", "null", "<>", "@@@@", "pass"])
def test_a_variation_with_a_null_move_becomes_a_comment(null: str) -> None:
    reading = read(f"1. d6 f4 (1... {null} 2. a4 {{threat}} (2. g7)) 2. a1 *")
    assert reading.record.plies[1].note.comment == f"(1... {null} 2. a4 (threat) (2. g7))"  # type: ignore[union-attr]
    assert reading.changes == (CHANGES[-1],)


def test_an_empty_node_in_a_variation_of_sgf_is_a_null_move() -> None:
    reading = read("(;GM[5];W[d6](;B[f4];W[a4])(;B[];W[a4]))")
    assert reading.record.plies[1].note.comment == "(1... -- 2. a4)"  # type: ignore[union-attr]
    assert reading.changes == (CHANGES[-1],)


@pytest.mark.parametrize(
    "before",
    [
        *("From: a@b\nSubject: x\n\n", "Hello Ann, here it is:\n\n", "\ufeffHello!\r\n"),
        *("Привет!\n\n", "棋譜\n\n", "Hi,\n\n", "https://example.org/7\n", "-----\n", "<pre>\n"),
        *("Content-Type: text/plain; charset=utf-8\n\n", "12.3.2020 Rome\n\n", "Hi,\n\n1. I like this one.\n\n"),
    ],
)
@pytest.mark.parametrize("text", ['[White "A"]\n\n1. d6 f4 *', "1. d6 f4 *", "(;GM[5]PW[A];W[d6];B[f4])"])
def test_text_before_the_record_is_left_out_in_words(before: str, text: str) -> None:
    reading = read(before + text)
    assert [ply.move for ply in reading.record.plies] == ["d6", "f4"]
    assert reading.changes == (CHANGES[0],)
    assert f"Line {before.count(chr(10)) + 1}" in refusal(before + text.splitlines()[0].replace("d6", "z9") + "1. z9")


@pytest.mark.parametrize("after", ["\n\nBest wishes,\n\nAnn (at home)\n", "\n-- \nAnn\n", "\n</pre>\n", "\r\nПока!"])
@pytest.mark.parametrize("text", ['[White "A"]\n\n1. d6 f4 *', "1. d6 f4 *", "(;GM[5]PW[A];W[d6];B[f4])"])
def test_text_after_a_record_is_left_out_in_words(after: str, text: str) -> None:
    for whole in (text + after, f"{text}{after}\n{text}"):
        readings = list(read_matches(whole, "morris"))
        assert len(readings) == whole.count("d6")
        assert {tuple(ply.move for ply in each.record.plies) for each in readings} == {("d6", "f4")}
        assert [change for each in readings for change in each.changes] == ["The text after the record was left out."]


def test_no_tag_or_move_is_taken_for_text_around_a_record() -> None:
    assert moves("d6 {a good move} f4\n2. a4") == ["d6", "f4", "a4"]
    refusal('<pre>[White "A"]\n[Black "B"]\n1. d6 f4 *')
    refusal('1. d6 f4 *\nAnd <b>[White "A"]</b>\n1. d6 f4 *')
    assert len(list(read_matches("(;GM[5];W[d6])(;GM[5];W[d6])\n(;GM[5];W[d6])", "morris"))) == 3


@pytest.mark.parametrize(
    "text_of",
    [
        lambda size: "1. d6 " + "".join(f"(1. a1 {{{number}}}) " for number in range(size // 100)),
        lambda size: "1. d6 f4 " + "".join(f"(1... a1 (1... -- {{{number}}})) " for number in range(size // 100)),
        lambda size: "(;GM[5]" + "".join(f"A[{number}]" for number in range(size // 10)) + ";W[d6])",
        lambda size: "\n" * size + "1. d6",
        lambda size: "1. d6 *\n" + "{" * size,
        lambda size: "1. d6 *\n" * 2 + "- " * size,
        lambda size: "(;GM[5];W[d6])" * (size // 30),
        lambda size: "()x" * size,
        lambda size: f"1. d6{'!' * size}#",
    ],
    ids=range(9),
)
def test_reading_takes_time_in_proportion_to_the_text(text_of: Callable[[int], str]) -> None:
    def seconds(size: int) -> float:
        begun = time.process_time()
        with contextlib.suppress(RecordError):
            list(islice(read_matches(text_of(size), "morris"), 21))
        return time.process_time() - begun

    assert seconds(120_000) < 0.5 + 9 * seconds(30_000)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ('[White "A\u202eB"]\n1. d6', ["Characters"]),
        ('[Annotator "A\u202eB"]\n1. d6', ["Characters"]),
        ("1. d6 {a\u202eb}", ["Characters"]),
        ("1. d6 {a { b}", ["Braces"]),
        *((text, ["% were left out"]) for text in ("% x\n1. d6", "1. d6\n%x\nf4", "1. d6 *\n%", "1. d6 (1. a1\n%\n)")),
        ("1. d6 {a\n% b\n}", []),
        ("1. d6 {[%clk} {0:00:01]}", ["clock times"]),
        ("(;GM[5];W[d6]C[a\nb])", ["Line breaks"]),
        ("(;GM[5];W[d6]C[a\\\nb])", []),
        ("(;GM[5];W[d6]LB[a1:x]TR[b2])", ["properties of SGF were left out: LB, TR"]),
        ("1. d6 {plain} f4 $1 (1... a1)", []),
    ],
)
def test_what_a_record_cannot_keep_is_said(text: str, changes: list[str]) -> None:
    said = read(text).changes
    assert len(said) == len(changes)
    assert all(words in sentence for words, sentence in zip(changes, said, strict=True))


def test_a_clock_in_a_variation_that_becomes_a_comment_is_none_of_the_match() -> None:
    record = read("1. d6 (1. -- {[%clk 0:00:01]}) *").record
    assert read(format_match(record)).record == record


@pytest.mark.parametrize("date", ["1993-05-12,13", "1996-12-27,28,1997-01-03", "5 May 1912", "1912", "1912-05"])
def test_dates_of_sgf_are_kept(date: str) -> None:
    record = read(f"(;GM[5]DT[{date}];W[d6])").record
    assert f"DT[{date}]" in FORMS["sgf"].text_of(record)
    assert read(format_match(record)).record == record


@pytest.mark.parametrize(
    "tags",
    [
        '[Date "2020.02.03"]\n[Time "23:30:00"]\n[UTCDate "2020.02.04"]\n[UTCTime "04:30:00"]\n[TimeZone "-5"]\n',
        '[Date "03.02.2020"]\n[WhiteElo "1800?"]\n[Termination "time forfeit"]\n',
        '[Date "2020.02.03"]\n[TimeControl "600"]\n[Site "https://example.org/game/7"]\n[Round "?"]\n',
        '[Date "0897.??.??"]\n[TimeControl "300+99x10"]\n[Event "Rated blitz"]\n[Mode "ICS"]\n',
    ],
)
def test_tags_come_out_as_they_were(tags: str) -> None:
    record = read(f"{tags}1. d6 f4 *").record
    for written in (format_match(record), format_match(read(FORMS["sgf"].text_of(record)).record)):
        assert set(tags.splitlines()) <= set(written.splitlines())


@pytest.mark.parametrize(
    ("written", "ranks"),
    [
        *((word, (1, 1)) for word in ("1/2", "1/2-1/2", "1/2 - 1/2", "½-½", "½–½", "½", "1/2–1/2", "0.5-0.5")),
        *((word, (1, 2)) for word in ("1-0", "1–0", "1:0", "1—0")),
        *((word, (2, 1)) for word in ("0-1", "0–1", "0:1", "0 - 1")),
    ],
)
def test_a_result_is_read_in_any_spelling(written: str, ranks: tuple[int, int]) -> None:
    assert read(f"1. d6 f4 {written}").record.ranks == ranks
    assert read(f'[Result "{written}"]\n1. d6 f4').record.ranks == ranks
    assert read(f'[Result "{written}"]\n1. d6 f4 {format_result(ranks)}').record.ranks == ranks


def test_tags_are_read_in_any_layout() -> None:
    record = read('[White "Ana "the Fox" Lee"][Black "B\\"en"]  [result "1-0"] 1. d6 f4 1-0').record
    assert [seat.name for seat in record.seats] == ['Ana "the Fox" Lee', 'B"en']


def test_comments_glyphs_and_variations_are_kept() -> None:
    text = "{Before} 1. d6 {good {it seems} $1 f4?! (1... a1 {why} 2. g7 (2. g1)) (1... b4!) 2. a4 ; the end\n*"
    record = read(text).record
    assert record.comment == "Before"
    notes = [ply.note for ply in record.plies]
    assert [(note.comment, note.glyphs) for note in notes if note] == [
        ("good (it seems", (1,)),
        ("", (6,)),
        ("the end", ()),
    ]
    assert notes[1].variations == ("1... a1 {why} 2. g7 (2. g1)", "1... b4 $1")  # type: ignore[union-attr]
    assert read(format_match(record)).record == record


@pytest.mark.parametrize(
    "variant", ["Nine Men's Morris", "Nine Men’s Morris", "morris", "Standard", "?", "Without flying"]
)
def test_a_variant_that_is_played_here_is_read(variant: str) -> None:
    reading = read(f'[Variant "{variant}"]\n1. d6 f4 *')
    assert reading.record.setup == ("flying=off" if variant == "Without flying" else "")


def test_after_a_position_numbers_start_anywhere_and_count_by_rounds_or_colours() -> None:
    fen = '[FEN "********/**@****@/O******O b p p 2 7 2 7 0 0 0 0 0 0 0 0 3"]\n'
    for written in ("1. g7 d2 2. a1", "3... g7 4. d2 a1", "3. ... g7 4. d2 a1", "7. g7 d2 8. a1"):
        assert moves(fen + written) == ["g7", "d2", "a1"]
    assert "5." in refusal(fen + "3... g7 5. d2")


def test_a_comment_after_the_result_belongs_to_that_match() -> None:
    first, second = read_matches("1. d6 f4 1-0 {resigned}\n{The second}\n1. a4 * \n{the end}", "morris")
    assert first.record.plies[-1].note.comment == "resigned"  # type: ignore[union-attr]
    assert second.record.comment == "The second"
    assert second.record.plies[-1].note.comment == "the end"  # type: ignore[union-attr]


def test_concatenated_files_are_read_with_any_line_endings() -> None:
    text = '\ufeff[White "A"]\r\n\r\n1. d6 *\r\n\ufeff[White "B"]\r\r1. d6 *\r\n\x1a'
    assert [reading.record.seats[0].name for reading in read_matches(text, "morris")] == ["A", "B"]
    assert "Line 4" in refusal('[White "A"]\r\r\n1. d6 f4\rq9 *')


@pytest.mark.parametrize("text", ["", "\n\n", "{only a remark}", "% only an escape", "[]", "\ufeff"])
def test_a_text_without_matches_has_none(text: str) -> None:
    assert list(read_matches(text, "morris")) == []


PIECES = [
    "1.",
    "2.",
    "3...",
    "…",
    "d6",
    "f4",
    "a4-a7",
    "xf4",
    "g7xf4",
    "5",
    "12-13",
    "1-0",
    "½",
    "*",
    "{",
    "}",
    "(",
    ")",
]
PIECES += [
    "$1",
    "$999",
    "!?",
    ";",
    "%",
    "[",
    "]",
    '[White "A"]',
    '[FEN "x"]',
    '[Variant "y"]',
    '"',
    "\\",
    "\n",
    "\r",
    " ",
]
PIECES += ["\x00", "\ufeff", "(;GM[5]", ";W[d6]", ";B[f4]", "C[", "RE[W+]", '{"game":', "[{", "1:2:3", "\u2028", "👍"]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(["", " "]))
def test_any_text_is_read_or_refused_with_a_reason(pieces: list[str], between: str) -> None:
    readings = read_matches(between.join(pieces), "morris")
    with contextlib.suppress(RecordError):
        for reading in readings:
            assert read(format_match(reading.record)).state.position_text == reading.state.position_text


def test_a_variant_names_the_game_if_nothing_else_does() -> None:
    assert read('[Variant "Ming Mang"]\n1. d1-d4 pass *', "").record.game == "mingmang"


SGF = "(;GM[5]PW[Ann]PB[Ben \\] B]DT[2020-02-03]RE[B+R]\n;W[d6]C[good](;B[f4];W[A4])(;B[a1]C[or this];W[g7]))"


def test_sgf_of_nine_mens_morris_is_read() -> None:
    record = read(SGF).record
    assert [ply.move for ply in record.plies] == ["d6", "f4", "a4"]
    assert [seat.name for seat in record.seats] == ["Ann", "Ben ] B"]
    assert (record.ranks, record.started_ms) == ((2, 1), 1_580_688_000_000)
    notes = [ply.note for ply in record.plies if ply.note]
    assert notes[0].comment == "good"
    assert notes[1].variations == ("1... a1 {or this} 2. g7",)
    assert len(list(read_matches(SGF + "\n" + SGF, ""))) == 2

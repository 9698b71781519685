"""The line mode against a real server: typed commands and printed lines."""

import asyncio
import re
from pathlib import Path

import pytest

from millrace.client import connect
from millrace.client.terminal.commands import ALL_COMMANDS
from millrace.client.terminal.commands.all_commands import COMMANDS
from millrace.client.terminal.commands.help import help_lines
from millrace.client.terminal.plain import LineMode
from tests.client.terminal.typist import Typist, begin_morris, first_and_second, first_match, seated
from tests.serving import PATIENCE_S, ServerProcess


async def test_a_narrow_terminal_wraps_seats_and_sentences(server: ServerProcess) -> None:
    async with seated(server) as ann:
        ann.width = 36
        await ann.type("here mingmang 90m + 3x30s", "Black is to move")
        for style in ("ascii", "colour"):
            shown = await ann.type(f"style {style}", "Black is to move")
            lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in shown.splitlines()]
            assert max(map(len, lines)) <= 36
            # Both seats go on below the player's name.
            assert [line[:5].strip() == "" and line[5] != " " for line in lines if "Men 14" in line] == [True, True]


async def test_a_study_branches_and_is_analysed(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("study morris", "After ply 0 of 0")
        await ann.type("d6", "After ply 1 of 1: d6")
        await ann.type("f4", "After ply 2 of 2: f4")
        await ann.type("back", "After ply 1 of 2")
        await ann.type("d2", "After ply 2 of 2: d2")
        await ann.type("position", r"W.*B")
        await ann.type("analyse 1", r"depth \d+")
        await ann.type("solve", "not solved|no solved endings")
        await ann.type("return", "After ply 0 of 0|After ply")
        await ann.type("analyse soon", "Usage: analyse")


async def test_moves_are_typed_in_any_case_and_with_the_signs_of_any_notation(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("study mingmang", "After ply 0 of 0")
        for typed, played in (
            ("B1-B2", "b1-b2"),
            ("b8\u2013b7", "b8-b7"),
            ("c1 \u2212 c3", "c1-c3"),
            ("\uff43\uff18\uff0d\uff43\uff16", "c8-c6"),
            ("D1  D3", "d1-d3"),
            ("PASS", "pass"),
        ):
            await ann.type(typed, rf"After ply \d of \d: {played}")


async def test_the_engine_thinks_beside_a_match_against_bots_until_told_to_stop(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("here morris", "White is to move")
        await ann.type("think", r"The engine thinks: [-+]\d+\.\d+ at depth \d+, [a-g]\d")
        await ann.type("a1", r"The engine thinks: .* at depth \d+, (?!a1)[a-g]\d")
        await ann.type("think", "no longer thinks")
        await ann.type("a4", "White is to move")
        await ann.type("resign", "won|lost")
        assert not any("The engine thinks:" in text for text in ann.said)


async def test_the_engine_does_not_think_beside_a_match_between_people(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        _, mover, _ = await begin_morris(ann, ben)
        await mover.type("think", "This is the position of a match you are playing")
        await mover.type("a1", r"1\. You: a1")
        assert not any("The engine thinks:" in text for text in mover.said)


async def test_a_finished_match_is_reviewed(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("here morris", "White is to move")
        await ann.type("a1", "Black is to move")
        await ann.type("a4", "White is to move")
        await ann.type("resign", "won|lost")
        await ann.type("review", r"gave anything away|better was")


async def test_puzzles_lessons_and_rules(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("rules morris", r"\w+:")
        await ann.type("lesson mingmang", "1 of ")
        await ann.type("next", "2 of ")
        await ann.type("puzzle morris", "You are (White|Black)")
        move = (await ann.type("moves", r"\w")).split(",")[0]
        await ann.type(move, r"Try again, or type hint or solution|Correct|Solved")
        await ann.type("daily", r"You are \w+\. With a hint it counts as not solved\.")
        await ann.type("hint", r"Hint: (move the piece on [a-z]+\d+|the move is \S+)\.")
        hint = await ann.type("hint", r"Hint: the move is \S+\.")
        move = hint.rpartition("the move is ")[2].split()[0].removesuffix(".")
        await ann.type(move, r"Correct|Solved")
        await ann.type("hint", "Hint: |This puzzle is over")
        await ann.type("puzzle morris", "You are")
        await ann.type("solution", "The solution is")
        await ann.type("hint", "This puzzle is over")
        await ann.type("streak morris", "You are")
        await ann.type("solution", r"The solution is .* Your streak: 0\. Type streak morris for another one\.")
        await ann.type("themes morris", "Your puzzle rating")
        await ann.type("mistakes morris", "account")
        await ann.type("ending", "ending rated|no solved endings of this kind")  # of the board's game
        await ann.type("ending mingmang", "No endings of this game are solved")


async def test_matches_are_imported_and_compared(
    server: ServerProcess, tokens: tuple[str, str], tmp_path: Path
) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ann.type(f"challenge {ben.name} mingmang 5+3 within 30", "Waiting for players")
        await ben.hear("challenges you to Ming Mang")
        await ben.type("accept", "begins|to move|Your move")
        mover, other = await first_and_second(ann, ben)
        await mover.type("h2-g2" if "h2" in await mover.type("moves", "-") else "a2-b2", "You: ")
        await other.hear("Your move")
        await other.type("resign", "You lost")
        match = first_match(await mover.type("archive", "won, 1 plies"))
        text = await mover.type(f"export {match}", "1\\.")
        (tmp_path / "match.txt").write_text(text, encoding="utf-8")
        await mover.type(f"import {tmp_path / 'match.txt'}", "Ming Mang: .*, 1 plies")
        await mover.type("import nowhere.txt", "nowhere.txt cannot be read: No such file")
        table = await ann.type(f"crosstable {ben.name}", "Ming Mang: ")
        assert f"{ann.name} won" in table
        assert f"{ben.name} won" in await ann.type(f"crosstable {ben.name} {ann.name}", "Ming Mang: ")
        await ann.type("crosstable Nobody-Ever", "no player called")
        await ann.type("find mingmang within 30", "needs a clock")
        await ann.type("find mingmang 5+3 within soon", "Type minutes after within")


async def test_a_line_that_cannot_be_run_is_explained(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("dance", "no command dance. Type help")
        await ann.type("serch", "Did you mean|no command serch")
        await ann.type("replai", "Did you mean replay")
        await ann.type("undo", "Did you mean takeback?")
        await ann.type("watch", "Did you mean live or open?")
        await ann.type("follow", "Usage: follow NAME")
        await ann.type("follow Nobody-At-All", "Nobody|no account|No account")
        await ann.type("next", "No board is open")
        await ann.type("resign", "You have no match open")
        await ann.type("find morris soon", "soon is not a clock")
        await ann.type("find battlesheep for many", "2, 3 or 4")
        await ann.type("find battlesheep for 3 rated 10s per move", "Looking")
        await ann.hear("need an account")
        await ann.type("find chess", "There is no game chess")
        await ann.type("bots", "Usage: bots GAME, such as: bots morris")
        await ann.type("bot morris 9", "There is no bot 9. Type bots morris")
        await ann.type("private morris with wolf", "There is no bot wolf")
        await ann.type("open nowhere", "no such match|There is no|does not exist")
        await ann.type("open 7", "no number 7")
        await ann.type("bot morris", "Your move")
        await ann.type("dance", "no command dance")
        await ann.type("a9", "'a9' is not a move")
        await ann.type("a1-a7", "not allowed here")
        await ann.type("style wood", "there is no wood")
        await ann.type("style contrast", "●|○|┌")
        await ann.type("pieces", "White .*: ")
        await ann.type("style colour", "^. \x1b\\[1;97;44m●\x1b\\[0m  ")
        await ann.type("handover 99", "There is no bot 99")
        await ann.type("help analyse", "let the engine search")
        await ann.type("help xyzzy", "nothing about xyzzy")


async def test_the_help_fits_a_terminal(server: ServerProcess) -> None:
    async with seated(server) as ann:
        lines = (await ann.type("help", "quit")).splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[:-2] == help_lines(ALL_COMMANDS)


def test_every_command_is_typed_in_a_test() -> None:
    """The tests of the line mode type each command at least once."""
    files = Path(__file__).parent.glob(f"{Path(__file__).stem}*.py")
    texts = "".join(file.read_text(encoding="utf-8") for file in files)
    typed = set(re.findall(r'(?:type|send)\(f?"([a-z]+)', texts))
    assert not COMMANDS.keys() - typed


@pytest.mark.parametrize("is_typed", [True, False], ids=["quit", "the end of input"])
async def test_the_line_mode_ends_when_the_player_does(server: ServerProcess, is_typed: bool) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        typist = Typist(me)
        typist.send("quit" if is_typed else None)
        await LineMode(me, typist).run()

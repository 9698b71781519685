"""What the line mode answers to lines that do not fit the shown board: what is meant, and where it is possible."""

import asyncio

import pytest

from millrace.client import connect
from millrace.client.terminal.boards import OpenEnding, OpenMistake
from millrace.client.terminal.plain import LineMode
from millrace.client.terminal.usage import UsageError
from millrace.protocol import ClockSettings, TournamentPlan
from tests.client.connecting import PASSWORD, new_name
from tests.client.terminal.typist import Typist, seated
from tests.serving import PATIENCE_S, ServerProcess


async def test_a_part_of_several_moves_is_asked_about_and_of_one_is_played(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("lesson morris", "1 of 9")
        await ann.type("next", "2 of 9: Close a mill")
        await ann.type("g7", r"^Which one: g7 \w\d, .*\?$")
        await ann.type("ply 6", "7 of 9: Fly")
        await ann.type("a4", r"^Which one: a4 \w\d, .*, \.\.\.\?$")
        await ann.type("d7", r"^Which one: a4 d7, a7 d7, g1 d7\?$")
        await ann.type("ply 4", "5 of 9: Move")
        await ann.type("a1", r"^Which one: a4 a1, d1 a1\?$")
        await ann.type("d6", r"That closes no mill")  # only one man can move there
        await ann.type("g7-g4", "not allowed here")


async def test_commands_of_a_match_are_understood_in_its_replay(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("here morris", "White is to move")
        await ann.type("a1", "Black is to move")
        await ann.type("resign", "won|lost")
        await ann.type("moves", "There are no moves to list. .*(won|lost)")
        await ann.type("replay", "After ply 0 of 1")
        await ann.type("export", r"1\. a1")
        await ann.type("review", "gave anything away|better was")
        await ann.type("explain", r"\w")
        await ann.type("resign", r"Not on this board\. Type tab 1 to go to Nine Men's Morris")
        await ann.type("hint", "No puzzle is open")
        await ann.type("here morris", "White is to move")
        await ann.type("tabs", "^>1  Nine Men's Morris: here .*\n 2  Replay")
        await ann.type("2", "After ply 0 of 1")


async def test_a_new_puzzle_takes_the_place_of_the_last_one_also_behind_a_match(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("puzzle morris", "You are")
        await ann.type("analyse", "First finish this puzzle")
        await ann.type("here morris", "White is to move")
        await ann.type("puzzle morris", "You are")
        assert len((await ann.type("tabs", "Puzzle")).splitlines()) == 2
        await ann.type("solution", "The solution is")
        await ann.type("analyse 1", r"depth \d+")


@pytest.mark.parametrize("task", [object.__new__(OpenEnding), object.__new__(OpenMistake)])
async def test_a_task_without_hints_says_so(task: OpenEnding | OpenMistake) -> None:
    with pytest.raises(UsageError, match="has no hints"):
        await task.hint()


async def test_a_streak_goes_on_with_puzzle(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("streak morris", "your streak 0")
        await ann.type("puzzle", "your streak 0")
        await ann.type("streak", "your streak 0")
        await ann.type("puzzle morris", r"you \d+")


async def test_a_command_without_its_game_lists_the_games_to_pick(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("mistakes", r"Usage: mistakes \[GAME\](?s:.*)^ 1  Nine Men's Morris")
        await ann.type("1", "account|No mistakes")
        await ann.type("here", "^ 3  Ming Mang")
        await ann.type("3", "Black is to move")
        await ann.type("puzzle", r"You are|puzzle")


async def test_a_number_picks_from_a_list_also_where_moves_end_with_numbers(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("here battlesheep from pasture=meadow", "Red is to move")
        await ann.type("a1", "Blue is to move")
        await ann.type("b1", "Red is to move")
        await ann.type("a1 f6", "^Which one: a1 f6 1, ")
        await ann.type("games", "^ 2  battlesheep: .*Meadow")
        await ann.type("2", "^Type: bot battlesheep easy$")
        await ann.type("bots morris", "^ 2  ")
        await ann.type("2", "Bot, level 2")


async def test_other_words_for_commands_are_understood(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("help surrender", "resign the match")
        await ann.type("help spectate", "list matches to watch")
        await ann.type("help exit", "quit; your matches continue")
        await ann.type("?", "^Against other players:")
        await ann.type("login", "quit, and start millrace play with --name")
        await ann.type("bot morris wolf", "There is no bot wolf. Type bots morris")
        await ann.type("bot morris against 1", "clock")
        await ann.type("ladder join morris", "need an account.* Type register NAME")
        await ann.type("computer mingmang", "Your move|to move")
        await ann.type("surrender", "You lost")
        await ann.type("talk to myself", "to myself")
        await ann.type("chat hi", "There is no such tournament. In a match, write with say: say hi")
        await ann.type("country Narnia", "Narnia is not a country's code. Type its two letters|account")
        await ann.type("help", "On this board: rematch, replay, review, close")


async def test_tokens_and_ladders_are_picked_by_number(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann:
        await ann.type("country Narnia", "Narnia is not a country's code. Type its two letters, such as FR")
        await ann.type("token robot read", "not shown again")
        await ann.type("tokens", "^ 1  robot: read")
        await ann.type("1", r"^Type: revoke \w+$")
        await ann.type("revoke 1", "robot was revoked")
        await ann.type("ladder", "^ 1  Nine Men's Morris: ")
        await ann.type("1", "^ 1  Join")
        await ann.type("ladder", "^ 1  Nine Men's Morris: ")
        await ann.type("ladder join 1", "Type ladder morris to see")
        await ann.type("ladder leave morris", "You have left the ladder")


async def test_a_picked_tournament_can_be_joined_and_left(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with connect(server.address, token=tokens[0]) as organiser:
        starts_at_ms = (await organiser.ping()).now_ms + 3_600_000
        plan = TournamentPlan("Pickable arena", "morris", ClockSettings(180_000), starts_at_ms, 60)
        tournament = await organiser.tournaments.create(plan)
    async with seated(server, tokens[1]) as ben:
        await ben.type("withdraw", "You have joined no tournament")
        await ben.type(f"withdraw {tournament}", "You have not joined Pickable arena")
        listed = await ben.type("tournaments", "Pickable arena")
        number = next(line.split()[0] for line in listed.splitlines() if "Pickable arena" in line)
        await ben.type(number, "^ 1  Join$")
        await ben.type("1", "You have joined")
        await ben.type(f"standings {tournament}", rf"^ 1  Withdraw\n 2  Read the chat\n 3 .*{ben.name}")
        await ben.type("withdraw", "You are not paired any more in Pickable arena")


async def test_a_new_password_in_a_pipe_is_one_line(server: ServerProcess) -> None:
    async with seated(server, is_piped=True) as ann:
        name = new_name()
        for line in (f"register {name}", PASSWORD, "recovery", PASSWORD):
            ann.send(line)
        await ann.hear(f"You are {name} from now on")


async def test_without_other_players_their_commands_are_neither_listed_nor_run(server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        ann = Typist(me)
        running = asyncio.create_task(LineMode(me, ann, is_local=True).run())
        shown = await ann.type("help", "quit")
        assert "Tournaments:" not in shown
        assert "register" not in shown
        await ann.type("tournaments", "tournaments needs other players: .* without --local")
        await ann.type("help register", "register NAME")
        assert ann.complete("tou") == []
        ann.send("quit")
        await running


@pytest.mark.parametrize(("typed", "words"), [("fin", ["find"]), ("bot m", ["morris", "mingmang"]), ("xyz", [])])
async def test_tab_completes_the_last_word(server: ServerProcess, typed: str, words: list[str]) -> None:
    async with seated(server) as ann:
        assert ann.complete(typed) == words

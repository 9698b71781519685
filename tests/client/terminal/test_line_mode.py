"""The line mode against a real server: typed commands and printed lines."""

import asyncio
import re
from pathlib import Path

from millrace.client import connect
from millrace.client.terminal.commands import help_lines
from millrace.client.terminal.commands.all_commands import COMMANDS
from millrace.client.terminal.commands.session import WIDTH
from millrace.client.terminal.plain import LineMode
from tests.client.terminal.typist import Typist, seated
from tests.serving import PATIENCE_S, ServerProcess


async def first_and_second(*typists: Typist) -> tuple[Typist, Typist]:
    """Return the player who is to move, and the other one."""
    turns = {asyncio.create_task(each.hear("Your move")): each for each in typists}
    (told, *_), waiting = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return turns[told], next(each for task, each in turns.items() if task is not told)


async def test_two_at_terminals_meet_play_and_look_back(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        await ann.type("find morris 17+4", "Looking for an opponent")
        await ben.type("find morris 17+4", "Looking for an opponent")
        mover, other = await first_and_second(ann, ben)
        assert "a7, d7" in await mover.type("moves", "a7")
        await mover.type("d6", r"^1\. You: d6")
        board = await other.hear("Your move")
        assert "W" in board
        await other.type("say Good luck!", "Good luck!")
        await mover.hear(f"{other.name}: Good luck!")
        await other.type("z9", "'z9' is not a move")
        assert "You lost: you resigned." in await other.type("resign", "You lost")
        await mover.hear(f"You won: {other.name} resigned.")
        match = re.split(" +", (await mover.type("archive", "won, 1 plies")).strip())[1]
        assert "After ply 0 of 1" in await mover.type(f"replay {match}", "After ply")
        assert "After ply 1 of 1: d6" in await mover.type("next", "After ply")
        assert "After ply 0 of 1" in await mover.type("back", "After ply")
        assert "resigned" in await mover.type("ply 99", "After ply")
        assert "1. d6" in await mover.type(f"export {match}", "d6")
        assert "1. d6" in await mover.type("plies", "d6")


async def test_every_offer_is_made_and_answered(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        await ann.type("private morris", "The match is")
        match = (await ann.hear("Others join it with")).split()[-1]
        await ben.type(f"join {match}", "The match begins|to move|Your move")
        mover, other = await first_and_second(ann, ben)
        await mover.type("a1", r"1\. You: a1")
        await other.hear("Your move")
        await mover.type("takeback", "You ask for a takeback")
        await other.hear("asks for a takeback. Type accept or decline.")
        await other.type("decline", "You decline the takeback")
        await mover.hear(f"{other.name} declines the takeback")
        await other.type("a4", "You: a4")
        await mover.hear("Your move")
        await other.type("takeback", "You ask for a takeback")
        await mover.hear("asks for a takeback")
        await mover.type("accept", f"{other.name} takes back the last move")
        await other.hear("Your move")
        await mover.type("pause", "You ask for a pause")
        await other.hear("asks for a pause")
        await other.type("accept pause", "The match is paused")
        await mover.type("resume", "The match goes on")
        await other.type("time", "no clock|without a clock|untimed|not timed|clock")
        await other.type("a4", "You: a4")
        await mover.hear("Your move")
        await mover.type("draw", "You offer a draw")
        await other.hear("offers a draw")
        await other.type("decline draw", "You decline the draw")
        await other.type("claim win", "not absent")
        await other.type("claim luck", "Type claim win or claim draw")
        await other.type("explain", r"\w")
        await other.type("mute " + mover.name, "You no longer see")
        await other.type("unmute " + mover.name, "You see what")
        await other.type("plan a7 a1", r"\w")
        await other.type("handover 3", "You ask that a bot plays on")
        await mover.hear("asks that a bot plays on. Type accept or decline.")
        await mover.type("accept", "Bot, level 3 now plays")
        await other.type("takeover 9", "There is no seat 9")
        await other.type("takeover 2", "The players are asked")
        await mover.hear("asks to play on for")
        await mover.type("decline", "You decline")
        await mover.type("resign", "You lost: you resigned")
        await mover.type("rematch", "You want a rematch")


async def test_a_match_is_called_off_or_left_before_it_begins(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        await ann.type("seek mingmang 10s per move", "Waiting for players")
        listed = await ben.type("seeks", rf"mingmang.*{ann.name}")
        number = next(line.split()[0] for line in listed.splitlines() if ann.name in line)
        await ben.type(f"join {number}", "The match begins|to move|Your move")
        await ann.hear("begins|to move|Your move")
        await ann.type("abort", "you called the match off")
        await ben.hear(f"{ann.name} called the match off")
        await ann.type("private battlesheep for 3", "Others join it with")
        match = ann.said[-1].split()[-1]
        await ben.type(f"join {match}", "Waiting for players")
        await ann.type("fill 9 3", "There is no seat 9")
        await ben.type("leave", "You left")


async def test_three_players_vote_on_a_seat_that_was_left(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben, seated(server) as eve:
        await ann.type("private battlesheep for 4", "Others join it with")
        match = ann.said[-1].split()[-1]
        await ben.type(f"join {match}", "Waiting for players")
        await eve.type(f"join {match}", "Waiting for players")
        seats = (await ann.type("board", "Waiting for players")).splitlines()[:4]
        open_seat = next(number for number, line in enumerate(seats, 1) if "(open)" in line)
        await ann.type(f"fill {open_seat} 1", "The match begins")
        await eve.hear("The match begins")
        await eve.type("resign", "You resigned")
        left = await ann.hear(f"{eve.name} resigned and left the match")
        choice = re.search(r"standin (\d) bot", left)
        assert choice is not None
        await ann.type(f"standin {choice[1]} maybe", "Type standin SEAT bot")
        await ann.type(f"standin {choice[1]} bot", "You vote that a bot plays on")
        await ben.hear(f"{ann.name} votes")
        await ben.type(f"standin {choice[1]} bot", "a bot plays on")


async def test_one_person_plays_all_seats_at_one_device(server: ServerProcess) -> None:
    async with seated(server) as ann:
        assert "Men 14" in await ann.type("here mingmang", "Black is to move")
        await ann.type("h1-h2", "h1-h2")
        await ann.type("close", "Closed Ming Mang")


async def test_bots_play_and_can_be_listed_and_watched(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("now morris", "Your move|to move")
        await ann.type("bots morris", "hunter")
        await ann.type("games", "battlesheep: Battle Sheep, for 2, 3 or 4")
        await ann.type("mine", "morris")
        await ann.type("live", r"morris|no live matches")
        await ann.type("bot battlesheep 1 dreamer", "Your move")
        await ann.type("tabs", ">2  Battle Sheep")
        await ann.type("tab 1", "Nine|in hand")

        await ann.type("stop", "You were not looking")


async def test_a_declined_draw_is_printed(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("bot morris dreamer", "Your move")
        first, *_ = (await ann.type("moves", ", ")).split(", ")
        await ann.type(first, "Your move")
        await ann.type("draw", r"^The Dreamer \(bot\) declines the draw")


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
        await ann.type(move, "The solution is|Right|Solved")
        await ann.type("daily", "You are")
        await ann.type("solution", "The solution is")
        await ann.type("streak morris", "You are")
        await ann.type("themes morris", "Your puzzle rating")


async def test_players_are_followed_blocked_and_reported(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        assert ben.name in await ann.type("who", ben.name)
        await ann.type(f"players {ben.name[:6]}", ben.name)
        await ann.type(f"follow {ben.name}", "You follow")
        assert "whom you follow" in await ann.type(f"profile {ben.name}", "Followers: 1")
        await ann.type(f"unfollow {ben.name}", "no longer follow")
        await ann.type(f"profile {ben.name}", "Followers: 0")
        await ann.type(f"block {ben.name}", "have blocked")
        await ann.type(f"unblock {ben.name}", "have unblocked")
        await ann.type(f"report {ben.name} rudeness", "The reason must be")
        await ann.type(f"report {ben.name} name It is rude.", "sent to the moderators")
        await ann.type("leaders battlesheep rapid 3", "The best at battlesheep for 3, rapid")
        await ann.type("leaders morris soon", "neither a speed")


async def test_a_challenge_is_announced_and_answered(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ben.type(f"challenge {ann.name} morris rated 5+3", "Waiting for players")
        await ann.hear(rf"^\* {ben.name} challenges you to morris")
        await ann.type("notifications", rf"\* {ben.name} challenges")
        listed = await ann.type("seeks", "a challenge to you")
        await ann.type(f"decline {listed.split()[1]}", "Declined")
        await ben.hear("the challenge was declined")


async def test_a_line_that_cannot_be_run_is_explained(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("dance", "no command dance. Type help")
        await ann.type("serch", "Did you mean|no command serch")
        await ann.type("replai", "Did you mean replay")
        await ann.type("follow", "Usage: follow NAME")
        await ann.type("follow Nobody-At-All", "Nobody|no account|No account")
        await ann.type("next", "No board is open")
        await ann.type("resign", "You have no match open")
        await ann.type("find morris soon", "soon is not a clock")
        await ann.type("find battlesheep for many", "2, 3 or 4")
        await ann.type("find battlesheep for 3 rated 10s per move", "Looking")
        await ann.hear("need an account")
        await ann.type("find chess", "There is no game chess")
        await ann.type("open nowhere", "no such match|There is no|does not exist")
        await ann.type("open 7", "no number 7")
        await ann.type("bot morris", "Your move")
        await ann.type("dance", "no command dance")
        await ann.type("a9", "'a9' is not a move")
        await ann.type("a1-a7", "not allowed here")
        await ann.type("style wood", "there is no wood")
        await ann.type("style contrast", "●|○|┌")
        await ann.type("pieces", "White .*: ")
        await ann.type("help analyse", "let the engine search")


async def test_the_help_fits_a_terminal(server: ServerProcess) -> None:
    async with seated(server) as ann:
        lines = (await ann.type("help", "quit")).splitlines()
        assert max(map(len, lines)) <= WIDTH
        assert lines[:-1] == help_lines()


def test_every_command_is_typed_in_a_test() -> None:
    """The tests of this file type each command at least once."""
    typed = set(re.findall(r'(?:type|send)\(f?"([a-z]+)', Path(__file__).read_text(encoding="utf-8")))
    assert not COMMANDS.keys() - typed


async def test_the_line_mode_ends_when_the_player_quits(server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        typist = Typist(me)
        typist.send("quit")
        await LineMode(me, typist).run()


async def test_the_line_mode_ends_at_the_end_of_input(server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        typist = Typist(me)
        typist.send(None)
        await LineMode(me, typist).run()

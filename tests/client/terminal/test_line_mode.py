"""The line mode against a real server: typed commands and printed lines."""

import asyncio
import re
from pathlib import Path

import pytest

from millrace.client import connect
from millrace.client.terminal.commands import help_lines
from millrace.client.terminal.commands.all_commands import COMMANDS
from millrace.client.terminal.plain import LineMode
from tests.client.connecting import PASSWORD
from tests.client.terminal.typist import Typist, seated
from tests.serving import PATIENCE_S, ServerProcess


async def first_and_second(*typists: Typist) -> tuple[Typist, Typist]:
    """Return the player who is to move, and the other one."""
    turns = {asyncio.create_task(each.hear("Your move")): each for each in typists}
    (told, *_), waiting = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return turns[told], next(each for task, each in turns.items() if task is not told)


async def announced(ann: Typist, what: str) -> str:
    """Create a private match and return its id."""
    await ann.type(f"private {what}", "The match is")
    return (await ann.hear("Others join it with")).split()[-1]


async def test_two_players_at_terminals_meet_play_and_replay(server: ServerProcess) -> None:
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


async def begin_morris(ann: Typist, ben: Typist) -> tuple[str, Typist, Typist]:
    """Begin a private match of Nine Men's Morris; return it, and the players in the order of their moves."""
    match = await announced(ann, "morris")
    await ben.type(f"join {match}", "The match begins|to move|Your move")
    return match, *await first_and_second(ann, ben)


async def test_every_offer_is_made_and_answered(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        _, mover, other = await begin_morris(ann, ben)
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
        await mover.type("resume", "The match continues")
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
        await other.type("plan a7 a1", "only in correspondence matches")
        await other.type("handover 3", "You ask for a bot to play on")
        await mover.hear("asks for a bot to play on. Type accept or decline.")
        await mover.type("accept", "Bot, level 3 now plays")
        await other.type("takeover 9", "There is no seat 9")
        await other.type("takeover 2", "The players have been asked")
        await mover.hear("asks to play on for")
        await mover.type("decline", "You decline")
        await mover.type("resign", "You lost: you resigned")
        await mover.type("rematch", "You want a rematch")


async def test_a_match_continues_while_it_is_replayed(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        match, mover, other = await begin_morris(ann, ben)
        await mover.type("a1", r"1\. You: a1")
        await other.hear("Your move")
        assert "After ply 1 of 1: a1" in await mover.type("position", "After ply 1")
        assert "After ply 0 of 1" in await mover.type(f"replay {match}", "After ply 0")
        await other.type("a4", r"2\. You: a4")
        await mover.hear(r"2\. .*: a4")
        await mover.type("tab 1", "Your move")
        await mover.type("resign", "You lost: you resigned")
        await mover.type("replay", "After ply 0 of 2")
        await other.type("rematch", "You want a rematch")
        await mover.hear("wants a rematch")


async def test_planned_replies_are_played_immediately(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        await ann.type("private morris 3 days per move", "Others join it with")
        await ben.type(f"join {ann.said[-1].split()[-1]}", "The match begins|to move|Your move")
        mover, other = await first_and_second(ann, ben)
        await other.type("plan", "You have planned no replies")
        await other.type("plan a7 d7 / a4 d7", "Planned replies: 2")
        assert await other.type("plan", "a7 d7") == "a7 d7\na4 d7"
        await mover.type("a7", r"2\. .*: d7")
        await other.hear(r"2\. You: d7")
        await other.type("plan g7 d6", "Planned replies: 1")
        await other.type("plan none", "Planned replies: 0")
        await mover.type("g7", r"3\. You: g7")
        await other.hear("Your move")


async def test_a_match_is_called_off_or_left_before_it_starts(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        await ann.type("seek mingmang 10s per move", "Waiting for players")
        listed = await ben.type("seeks", rf"mingmang.*{ann.name}")
        number = next(line.split()[0] for line in listed.splitlines() if ann.name in line)
        await ben.type(f"join {number}", "The match begins|to move|Your move")
        await ann.hear("begins|to move|Your move")
        await ann.type("abort", "you called the match off")
        await ben.hear(f"{ann.name} called the match off")
        match = await announced(ann, "battlesheep for 3")
        await ben.type(f"join {match}", "Waiting for players")
        await ann.type("fill 9 3", "There is no seat 9")
        await ben.type("leave", "You left")


async def test_three_players_vote_on_the_seat_of_a_player_who_left(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben, seated(server) as eve:
        match = await announced(ann, "battlesheep for 4")
        await ben.type(f"join {match}", "Waiting for players")
        await eve.type(f"join {match}", "Waiting for players")
        about, *seats = (await ann.type("board", "Waiting for players")).splitlines()[:5]
        assert about == "Battle Sheep, untimed, casual"
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


async def test_a_rematch_of_three_is_accepted_by_each_once(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben, seated(server) as eve:
        match = await announced(ann, "battlesheep for 3")
        await ben.type(f"join {match}", "Waiting for players")
        await eve.type(f"join {match}", "to move|Your move")
        await ann.hear("The match begins")
        await ben.hear("The match begins")
        await ann.type("abort", "called off|No result")
        await ben.hear("called off|No result")
        await ann.type("rematch", "You want a rematch")
        await ben.hear(f"{ann.name} wants a rematch")
        await ben.type("accept", "You want a rematch")
        await ben.type("accept", "There is nothing to accept")
        await eve.type("accept", "The match begins|to move|Your move")


async def test_the_time_for_the_first_move_is_announced(server: ServerProcess) -> None:
    async with seated(server) as ann:
        board = await ann.type("here morris 5+3", "White is to move")
        assert "Each player has 30 seconds for the first move; the clocks start after it." in board
        assert re.search(r"White is to move\. \d+ s to begin\.$", board)
        await ann.type("a1", r"Black is to move\. \d+ s to begin\.$")
        await ann.type("a4", r"White is to move\.$")


async def test_one_person_plays_all_seats_on_one_device(server: ServerProcess) -> None:
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


async def test_starting_a_match_ends_a_search(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("find mingmang 59+1", "Looking for an opponent")
        ann.send("now morris")
        await ann.hear("is to move|Your move")
        assert not any("search" in text for text in ann.said)
        await ann.type("stop", "You were not looking")


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
        await ann.type(move, "The solution is|Correct|Solved")
        await ann.type("daily", "You are")
        await ann.type("solution", "The solution is")
        await ann.type("streak morris", "You are")
        await ann.type("solution", r"The solution is .* Your streak: 0\. Type streak morris for another one\.")
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


async def test_an_account_is_managed(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ann.type("bio none", "text was removed")
        await ann.type("bio", "has no text")
        await ann.type("country fr", "shows FR")
        await ann.type("bio I play in trains.", "text was saved")
        shown = await ben.type(f"profile {ann.name}", "I play in trains.")
        assert ", FR" in shown
        await ann.type("country none", "shows no country")
        await ann.type("country atlantis", r"\w")
        await ann.type("bio", "I play in trains.")
        await ann.type("visible maybe", "Type visible on")
        await ann.type("visible off", "do not see")
        await ann.type("visible on", "Others see")
        await ann.type("token engine fly", "read, play, challenge, chat")
        await ann.type("token engine read play", "not shown again")
        await ann.type("tokens", "engine: read, play; since .*, never used")
        await ann.type("revoke motor", "You have no token motor")
        await ann.type("revoke engine", "engine was revoked")
        await ann.type("tokens", "You have no API tokens")


async def test_a_password_is_changed_by_answering_questions(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann:
        for old, new in ((PASSWORD, "another long password"), ("another long password", PASSWORD)):
            await ann.type("password", "current password")
            await ann.type(old, "Your new password")
            await ann.type(new, "Repeat the new password")
            await ann.type(new, "Your password was changed")
        await ann.type("password", "current password")
        await ann.type("wrong wrong", "Your new password")
        await ann.type("another long password", "Repeat the new password")
        await ann.type("not the same", "passwords differ")


async def test_matches_are_imported_and_compared(
    server: ServerProcess, tokens: tuple[str, str], tmp_path: Path
) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ann.type(f"challenge {ben.name} mingmang 5+3 within 30", "Waiting for players")
        await ben.hear("challenges you to mingmang")
        await ben.type("accept", "begins|to move|Your move")
        mover, other = await first_and_second(ann, ben)
        await mover.type("h2-g2" if "h2" in await mover.type("moves", "-") else "a2-b2", "You: ")
        await other.hear("Your move")
        await other.type("resign", "You lost")
        match = re.split(" +", (await mover.type("archive", "won, 1 plies")).strip())[1]
        text = await mover.type(f"export {match}", "1\\.")
        (tmp_path / "match.txt").write_text(text, encoding="utf-8")
        await mover.type(f"import {tmp_path / 'match.txt'}", "mingmang: .*, 1 plies")
        await mover.type("import nowhere.txt", "nowhere.txt cannot be read: No such file")
        table = await ann.type(f"crosstable {ben.name}", "mingmang: ")
        assert f"{ann.name} won" in table
        assert f"{ben.name} won" in await ann.type(f"crosstable {ben.name} {ann.name}", "mingmang: ")
        await ann.type("crosstable Nobody-Ever", "no player called")
        await ann.type("find mingmang within 30", "needs a clock")
        await ann.type("find mingmang 5+3 within soon", "Type minutes after within")


async def test_a_challenge_is_announced_and_answered(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ben.type(f"challenge {ann.name} morris rated 5+3", "Waiting for players")
        await ann.hear(rf"^\* {ben.name} challenges you to morris")
        await ann.type("notifications", rf"\* {ben.name} challenges")
        listed = await ann.type("seeks", "a challenge to you")
        await ann.type(f"decline {listed.split()[1]}", "Declined")
        await ben.hear("the challenge was declined")


async def test_an_earlier_challenge_is_announced(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann:
        async with seated(server, tokens[1]) as ben:
            pass
        await ann.type(f"challenge {ben.name} battlesheep", "Waiting for players")
        async with seated(server, tokens[1]) as ben:
            await ben.hear(f"{ann.name} challenges you to battlesheep")
        await ann.type("abort", "you called the match off")


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


async def test_the_help_fits_a_terminal(server: ServerProcess) -> None:
    async with seated(server) as ann:
        lines = (await ann.type("help", "quit")).splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[:-1] == help_lines()


def test_every_command_is_typed_in_a_test() -> None:
    """The tests of this file type each command at least once."""
    typed = set(re.findall(r'(?:type|send)\(f?"([a-z]+)', Path(__file__).read_text(encoding="utf-8")))
    assert not COMMANDS.keys() - typed


@pytest.mark.parametrize("is_typed", [True, False], ids=["quit", "the end of input"])
async def test_the_line_mode_ends_when_the_player_does(server: ServerProcess, is_typed: bool) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        typist = Typist(me)
        typist.send("quit" if is_typed else None)
        await LineMode(me, typist).run()

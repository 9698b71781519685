"""Matches in the line mode against a real server: played, watched, and continued."""

import re

from tests.client.terminal.typist import announced, begin_morris, first_and_second, first_match, seated
from tests.serving import ServerProcess


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
        match = first_match(await mover.type("archive", "won, 1 plies"))
        assert "After ply 0 of 1" in await mover.type(f"replay {match}", "After ply")
        assert "After ply 1 of 1: d6" in await mover.type("next", "After ply")
        assert "After ply 0 of 1" in await mover.type("back", "After ply")
        assert "resigned" in await mover.type("ply 99", "After ply")
        assert "1. d6" in await mover.type(f"export {match}", "d6")
        assert "1. d6" in await mover.type("plies", "d6")


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
        listed = await ben.type("seeks", rf"Ming Mang.*{ann.name}")
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
        await ann.type("bots morris", r"(?m)^ 1  [a-z]+ .*(?s:.*) hunter ")
        await ann.type("games", "battlesheep: Battle Sheep, for 2, 3 or 4")
        await ann.type("mine", "Nine Men's Morris")
        await ann.type("live", r"Nine Men's Morris|no live matches")
        await ann.type("bot battlesheep 1 dreamer", "Your move")
        await ann.type("player 2 random", r"Random \(bot\) now plays")
        await ann.type("tabs", ">2  (Battle Sheep|Watching)")
        await ann.type("tab 1", "Nine|in hand")

        await ann.type("stop", "You were not looking")


async def test_starting_a_match_ends_a_search(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("find mingmang 59+1", "Looking for an opponent")
        ann.send("now morris")
        await ann.hear("is to move|Your move")
        assert not any("search" in text for text in ann.said)
        await ann.type("stop", "You were not looking")


async def test_piped_commands_wait_for_the_board_and_the_turn_they_are_about(server: ServerProcess) -> None:
    async with seated(server, is_piped=True) as ann:
        placings = ("a1", "g7", "d1")  # the bot may take one of these, and of the points that are listed
        for line in ("open nowhere", "bot morris 1", "moves", *placings, "here mingmang", "h2-g2", "pieces", "resign"):
            ann.send(line)
        await ann.hear("White won|Black won")
        text = "\n".join(ann.said)
        told = (
            "no such match",
            "[adg]7, [adg]7",
            "You: (a1|g7)",
            "You: (g7|d1)",
            "1. Black: h2-g2",
            "Black .*g2",
            "Black won: White",
        )
        places = [re.search(pattern, text) for pattern in told]
        assert None not in places, text
        assert [place.start() for place in places if place] == sorted(place.start() for place in places if place)


async def test_piped_commands_wait_for_the_answer_of_the_bot(server: ServerProcess) -> None:
    async with seated(server, is_piped=True) as ann:
        for line in ("bot morris 1", "a1", "g7", "draw", "plies"):
            ann.send(line)
        await ann.hear(r"g7 \d+\. \w+$")
        assert not any("in the meantime" in text for text in ann.said), ann.said


async def test_piped_commands_wait_for_the_opponent_who_is_looked_for(server: ServerProcess) -> None:
    async with seated(server, is_piped=True) as ann, seated(server) as ben:
        for line in ("find morris 19+7", "abort"):
            ann.send(line)
        await ann.hear("Looking for an opponent")
        await ben.type("find morris 19+7", "Looking for an opponent")
        await ann.hear("you called the match off")


async def test_moves_typed_too_early_are_played_when_the_turn_comes(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        _, mover, other = await begin_morris(ann, ben)
        await other.type("g7", "Premove: g7. Type premove none")
        await other.type("d7", "Premove: g7, then d7")
        await mover.type("a1", r"2\. .*: g7")
        await mover.type("d7", r"3\. You: d7")
        await other.hear("Your premove d7 was dropped")
        await other.type("premove g4", "Premoves are moves for your next turns")
        await other.type("a4", r"4\. You: a4")
        await other.type("premove g4", "Premove: g4")
        await other.type("premove none", "No premove is set")
        await mover.type("d6", r"5\. You: d6")
        await other.hear("Your move")

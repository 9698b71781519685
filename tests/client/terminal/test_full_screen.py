"""The full screen against a real server, by keys and mouse."""

import asyncio
import re
from functools import partial

import pytest
from textual.app import App
from textual.widgets import Input, Static

from millrace.client.match_view import list_moves
from millrace.client.terminal.boards import OpenMatch
from millrace.client.terminal.full_screen.board_view import BoardView
from millrace.client.terminal.full_screen.pick_screen import NOTHING_FOUND, Choice, PickScreen
from tests.client.terminal.screens import Screen, can_click, screened, shown_match
from tests.client.terminal.typist import Typist, first_match, seated
from tests.serving import ServerProcess


def has_more_plies(match: OpenMatch, plies: int) -> bool:
    return match.plies > plies


async def begin_private(screen: Screen, what: str, *others: Typist) -> OpenMatch:
    """Create a private match that others join; return it."""
    await screen.type(f"private {what}", "join it with")
    match = shown_match(screen)
    for number, other in enumerate(others, 1):
        is_full = number == len(others)
        await other.type(f"join {match.match}", "begins|to move|Your move" if is_full else "Waiting for players")
    await screen.see("to move|Your move")
    return match


async def play_in_turn(screen: Screen, other: Typist, ply: int, move: str) -> None:
    """Play a move for the player to move, of two players."""
    match = shown_match(screen)
    await screen.until(lambda: match.plies == ply and match.view.to_move is not None, f"ply {ply}")
    if match.needs_attention:
        await screen.until(lambda: match.feed.turn is not None, "a turn")
        await screen.type(move, r"\w")
    else:
        await other.hear("Your move")
        await other.type(move, f"You: {move}")
    await screen.until(partial(has_more_plies, match, ply), move)


async def test_a_match_is_played_with_the_mouse_to_its_end(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.pilot.press("enter")
        await screen.see("Your move")
        match = shown_match(screen)
        for _ in range(3):
            await screen.until(lambda: match.feed.turn is not None, "a turn")
            turn = match.feed.turn
            assert turn is not None
            plies = match.plies
            view = screen.app.query_one(BoardView)
            for word in list_moves(turn.tree)[0].split():
                await screen.until(partial(can_click, view, word), word)
                await screen.click_cell(word)
            await screen.until(partial(has_more_plies, match, plies), "the move")
        await screen.until(lambda: match.feed.turn is not None, "a turn")
        await screen.click("[Resign]")
        await screen.see("Press Enter to resign")
        await screen.pilot.press("enter")
        await screen.see("You lost: you resigned")
        await screen.click("[Rematch]")
        await screen.until(lambda: screen.app.session.boards != [match], "the rematch")
        await screen.see("1 Nine")
        assert len(screen.app.session.boards) == 1


async def test_a_match_is_played_with_keys_alone(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24)) as screen:
        await screen.type("bot morris 1", "Your move")
        match = shown_match(screen)
        view = screen.app.query_one(BoardView)
        await screen.until(lambda: bool(view.branch), "the legal moves")
        plies = match.plies
        await screen.pilot.press("right")
        assert view.cursor in view.branch
        await screen.pilot.press("enter")
        await screen.until(lambda: match.plies > plies, "the move")
        await screen.until(lambda: bool(view.branch), "the next turn")
        cursor = view.cursor
        await screen.pilot.press("down", "right")
        assert view.cursor != cursor


async def test_typed_characters_go_to_the_command_line_wherever_the_focus_is(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("bot morris", "Your move")
        await screen.type("dance", "There is no command dance")
        await screen.type("z9", "'z9' is not a move")
        await screen.type("bot battlesheep 1", "2 Battle Sheep")
        await screen.pilot.press("r", "e", "s")
        assert screen.app.query_one(Input).value == "res"
        await screen.pilot.press("escape")
        assert screen.app.query_one(Input).value == ""
        await screen.pilot.press("f", "i", "n", "tab")
        assert screen.app.query_one(Input).value == "find "
        await screen.pilot.press("b", "tab")
        assert screen.app.query_one(Input).value == "find battlesheep "


async def test_offers_are_answered_by_a_click(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        match = await begin_private(screen, "mingmang", ben)
        if match.seat != 0:
            await ben.type("h2-g2", "h2-g2")
            await screen.see("Your move")
            await screen.type("a3-b3", "a3-b3")
        else:
            await screen.type("h2-g2", "h2-g2")
            await ben.type("a3-b3", "a3-b3")
        await ben.hear(r"a3-b3|Your move")
        await ben.type("takeback", "You ask for a takeback")
        await screen.click_when("[Accept the takeback]")
        await ben.hear("You take back")
        await ben.type("say Hello!", "Hello!")
        await screen.see(f"{ben.name}: Hello!")
        await ben.type("pause", "You ask for a pause")
        await screen.click_when("[Accept the pause]")
        await screen.click_when("[Continue]")
        await screen.type("pause", "You ask for a pause")
        await screen.click_when("[Withdraw the pause]")
        await ben.hear("withdraws the request")
        await ben.type("resign", "You lost")
        await screen.see("You won:")
        await screen.click("[Rematch]")
        await screen.click_when("[Withdraw the rematch]")
        await ben.hear("does not want a rematch")


async def test_a_win_is_claimed_when_the_opponent_has_left(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("private morris 5+3", "join it with")
        match = shown_match(screen)
        async with seated(server) as ben:
            await ben.type(f"join {match.match}", "The match begins|to move|Your move")
            for ply, move in enumerate(("a1", "g7")):
                await play_in_turn(screen, ben, ply, move)
        await screen.click_when("[Claim the win]")
        await screen.see("You won: .* was away")


@pytest.mark.slow
async def test_the_others_vote_on_the_seat_of_a_player_who_left(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben, seated(server) as eve:
        match = await begin_private(screen, "battlesheep for 3", ben, eve)
        await eve.type("resign", "You resigned")
        left = await ben.hear("resigned and left the match")
        await screen.click_when("[Skip the seat]")
        await screen.see("You vote that the turns are skipped")
        await ben.type(re.findall("standin \\d skip", left)[0], "the turns are skipped")
        await screen.until(lambda: match.view.departures[0].stand_in == "skip", "the vote")


@pytest.mark.slow
async def test_a_seat_is_handed_over_and_taken_back(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        match = await begin_private(screen, "morris", ben)
        for ply, move in enumerate(("a1", "g7")):
            await play_in_turn(screen, ben, ply, move)
        await ben.type("handover 2", "You ask for a bot to play on")
        await screen.click_when("[Accept the change to a bot]")
        await screen.see("Bot, level 2 now plays")
        bot_seat = 1 - match.my_seat
        await ben.type(f"takeover {bot_seat + 1}", "The players have been asked")
        await screen.click_when("[Accept the change of the seat]")
        await screen.see(f"{ben.name} now plays")


@pytest.mark.slow
async def test_a_rated_match_is_played_to_its_end(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with screened(server, tokens[0]) as screen, seated(server, tokens[1]) as ben:
        await screen.type(f"challenge {ben.name} mingmang rated 5+3", "Waiting for players")
        await ben.hear("challenges you to Ming Mang")
        await ben.type("accept", "The match begins|to move|Your move")
        for ply, move in enumerate(("h2-g2", "a3-b3", "h7-g7", "b3-b4", "pass", "pass")):
            await play_in_turn(screen, ben, ply, move)
        await screen.see(r"Ratings: ")
        picture = shown_match(screen).picture
        assert picture is not None
        has_won = shown_match(screen).seat == 0
        opponents = f"You won against {ben.name}: " if has_won else f"You lost to {ben.name}: "
        assert picture.status.startswith(opponents)
        (change,) = picture.seats[0 if has_won else 1].notes
        assert ("(+" if has_won else "(-") in change
        await ben.hear(r"Ratings: .*You \d+ -> \d+")


async def test_tabs_hold_several_matches_and_the_lobby(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here mingmang", "1 Ming Mang")
        await screen.type("here morris", "2 Nine Men's Morris")
        await screen.pilot.press("ctrl+p")
        await screen.see("Ming Mang, untimed")
        await screen.pilot.press("ctrl+p")
        await screen.see("Your matches")
        await screen.see("at|Morris, untimed, ply 0")
        await screen.click("2 ")
        await screen.see("Nine Men's Morris, untimed")
        await screen.type("close", "Closed Nine|Ming Mang, untimed")
        assert len(screen.app.session.boards) == 1


async def test_choices_that_are_not_cells_are_clicked_or_typed(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here battlesheep from pasture=meadow", "is to move")
        view = screen.app.query_one(BoardView)
        match = shown_match(screen)
        for _ in range(2):
            await screen.until(lambda: bool(view.branch), "the legal moves")
            plies = match.plies
            await screen.click_cell(next(iter(view.branch)))
            await screen.until(partial(has_more_plies, match, plies), "the placing")
            await screen.see(rf"{plies + 1}\. ")  # only then is what can be clicked that of the next move
        for way in ("click", "type"):
            plies = match.plies
            await screen.until(lambda: bool(view.branch), "the legal moves")
            await screen.click_cell(next(iter(view.branch)))
            await screen.until(lambda: len(view.clicks) == 1, "the origin")
            await screen.click_cell(next(iter(view.branch)))
            await screen.see(r"\[3\]")
            if way == "click":
                await screen.click("[3]")
            else:
                await screen.type("3", "3")
            await screen.until(partial(has_more_plies, match, plies), "the split")
            await screen.see(rf"{plies + 1}\. ")
        assert all(move.endswith(":3") for move in match.view.moves[2:])


async def test_a_replay_is_stepped_through_and_branched(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris", "White is to move")
        await screen.type("a1", "Black is to move")
        await screen.type("a4", "White is to move")
        await screen.type("resign", "Rematch")
        await screen.click("[Replay]")
        await screen.see("After ply 0 of 2")
        await screen.click("[>]")
        await screen.see("After ply 1 of 2: a1")
        await screen.type("g7", "After ply 2 of 2: g7")
        await screen.click("[Drop my moves]")
        await screen.see("After ply 1 of 2: a1")
        await screen.type("analyse 1", r"depth \d+")


async def test_puzzles_and_lessons_are_boards(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("puzzle morris", "puzzle rated")
        await screen.click("[Hint]")
        await screen.see("Hint: ")
        await screen.click("[Solution]")
        await screen.see("The solution is")
        await screen.type("streak morris", "your streak 0")
        await screen.click("[Solution]")
        await screen.click_when("[Another puzzle]")
        await screen.see("your streak 0")
        await screen.type("lesson mingmang", "1 of ")
        await screen.click("[Next]")
        await screen.see("2 of ")


@pytest.mark.slow
async def test_a_player_who_has_left_a_match_of_three_watches_it(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben, seated(server) as eve:
        await begin_private(screen, "battlesheep for 3", ben, eve)
        await screen.see(r"\[Resign\]")
        await screen.type("resign", r"\[Replay\] \[Close\]")
        assert "[Resign]" not in screen.text


async def test_a_match_is_watched(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        await ben.type("here morris", "White is to move")
        match = first_match(await ben.type("mine", "Morris, untimed, ply 0"))
        await screen.type(f"open {match}", "White is to move")
        await ben.type("d6", "Black is to move")
        await screen.see("1. White: d6")
        await screen.type("f4", "You are watching this match")
        await ben.type("resign", "won: ")
        await screen.see(r"White won: |Black won: ")


@pytest.mark.slow
async def test_no_other_move_can_be_entered_until_a_move_is_answered(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered, play = asyncio.Event(), OpenMatch.play

    async def play_later(match: OpenMatch, move: str) -> None:
        await answered.wait()
        await play(match, move)

    monkeypatch.setattr(OpenMatch, "play", play_later)
    async with screened(server) as screen:
        await screen.type("here morris", "White is to move")
        match, view = shown_match(screen), screen.app.query_one(BoardView)
        for enter in (partial(screen.click_cell, "d6"), partial(screen.type, "a1", r"a1 \.\.\.")):
            plies = match.plies
            await screen.until(lambda: bool(view.branch), "the legal moves")
            await enter()
            await screen.see(r"\w\d \.\.\.$")
            await screen.type(f"say Before move {plies + 1}", f": Before move {plies + 1}")
            assert view.branch == {}
            answered.set()
            await screen.until(partial(has_more_plies, match, plies), "the move")
            await screen.until(lambda: bool(view.branch), "the next turn")
            answered.clear()
        await screen.type("z9", r"z9 \.\.\.")
        assert view.branch == {}
        answered.set()
        await screen.see("'z9' is not a move")
        await screen.until(lambda: bool(view.branch), "the legal moves")


async def test_a_challenge_is_accepted_in_the_lobby(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with screened(server, tokens[0]) as screen, seated(server, tokens[1]) as ben:
        name = screen.app.session.me.player.name
        await screen.see(f"You are {name}")
        await ben.type(f"challenge {name} mingmang 5+3 within 30", "Waiting for players")
        await screen.see("Challenge: Ming Mang, 5\\+3, limit 30 min, casual, by")
        await screen.click("Challenge: Ming Mang")
        await screen.see("Ming Mang, 5\\+3, limit 30 min")
        await screen.see(rf"{name} \(you\)")
        await ben.type("abort", "you called the match off")
        await screen.see(f"No result: {ben.name} called the")


async def test_a_search_that_finds_nothing_says_so() -> None:
    app = App[None]()
    async with app.run_test() as pilot:
        await app.push_screen(PickScreen("", [Choice("1  bot", "bot", "play one")]))
        details = app.screen.query_one("#details", Static)
        await pilot.press("x")
        assert str(details.content) == NOTHING_FOUND
        await pilot.press("backspace")
        assert str(details.content) != NOTHING_FOUND


@pytest.mark.slow
async def test_entries_of_lists_and_of_the_help_are_picked_and_searched(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24)) as screen:
        await screen.type("here mingmang", "Black is to move")
        for move in ("pass", "pass"):
            await screen.type(move, r"\w")
        await screen.see("Draw between")
        await screen.type("archive", "Finished matches:")
        await screen.see(r"^ 1  \w+  \S+ Ming Mang:")
        await screen.pilot.press("enter")
        await screen.see("After ply 0 of 2")
        await screen.pilot.press("f1")
        await screen.see("play a waiting player")
        await screen.pilot.press(*"byo-yomi", "down", "down")
        await screen.see("Example: challenge Beatrix morris rated")
        assert "play a waiting player" not in screen.text
        await screen.pilot.press("enter")
        await screen.until(lambda: screen.app.query_one("#command", Input).value == "challenge ", "the command")


async def test_a_premove_is_entered_on_the_board_and_dropped(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        match = await begin_private(screen, "morris", ben)
        if match.needs_attention:
            await play_in_turn(screen, ben, 0, "a1")
        view = screen.app.query_one(BoardView)
        await screen.until(lambda: view.may_premove, "the opponent's turn")
        await screen.click_cell("d6")
        await screen.see("d6  again for a premove")
        await screen.click_cell("d6")
        await screen.see(r"Premove: d6\.")
        await screen.click_when("[Drop the premove]")
        await screen.until(lambda: match.premoves == (), "no premove")
        await screen.type("d7", r"Premove: d7\.")
        plies = match.plies
        await ben.type("g7", r"\d\. .*: d7")
        await screen.until(partial(has_more_plies, match, plies + 1), "the premove")


@pytest.mark.slow
async def test_another_size_of_the_window_gives_its_layout_at_once(server: ServerProcess) -> None:
    async with screened(server, size=(80, 24)) as screen:
        await screen.type("here mingmang", "Black is to move")
        await screen.settle()
        before = screen.text
        for size in ((140, 50), (60, 20), (80, 24)):
            await screen.pilot.resize_terminal(*size)
            await screen.settle()
            assert (screen.text == before) == (size == (80, 24))

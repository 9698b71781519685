"""Lines typed ahead: they stay in order, wait for the board that they are about, and never run on another one."""

from collections.abc import Iterable
from functools import partial

from textual import events
from textual.widgets import Input

from millrace.client.terminal.boards import OpenBoard
from tests.client.terminal.screens import Screen, screened, shown_match
from tests.client.terminal.typist import begin_morris, seated
from tests.serving import ServerProcess

KEYS = {" ": "space", "\r": "enter", "\n": "ctrl+j", "\b": "backspace"}


def send_keys(screen: Screen, characters: Iterable[str]) -> None:
    """Type faster than anything is answered."""
    for character in characters:
        screen.app.post_message(events.Key(KEYS.get(character, character), character))


def has_changed(screen: Screen, board: OpenBoard) -> bool:
    return screen.app.session.shown is not board


async def test_moves_typed_before_their_board_is_there_are_played_on_it(server: ServerProcess) -> None:
    async with screened(server) as screen:
        send_keys(screen, "here mingmang\rhere morrisx\b\rd6\rf4\nd2\r")
        await screen.until(lambda: len(screen.app.session.boards) == 2, "the second board")
        await screen.until(lambda: shown_match(screen).view.moves == ("d6", "f4", "d2"), "the moves")


async def test_moves_typed_in_the_lobby_are_played_on_the_open_board_which_is_shown(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris", "White is to move")
        await screen.pilot.press("f2")
        await screen.see("Your matches")
        await screen.type("d6", "1. White: d6")


async def test_a_move_typed_before_the_opponent_has_come_is_a_premove(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        send_keys(screen, "private morris\rd6\r")
        await screen.see(r"Premove: d6\.")
        match = shown_match(screen)
        await ben.type(f"join {match.match}", "begins|to move|Your move")
        await screen.until(lambda: match.view.to_move is not None, "the beginning")
        if match.view.to_move not in match.feed.my_seats:
            await ben.type("g7", "You: g7")
        await screen.until(lambda: match.view.moves[-1:] == ("d6",), "the premove")


async def test_nothing_that_was_begun_before_runs_on_a_board_that_opens_by_itself(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        await screen.type("private morris", "join it with")
        match = shown_match(screen)
        await ben.type(f"join {match.match}", "begins|to move|Your move")
        await screen.see("to move|Your move")
        await screen.type("resign", "You lost")
        await screen.type("rematch", "Withdraw the rematch")
        send_keys(screen, "resign")
        await screen.see("^resign")
        await ben.type("accept", "begins|to move|Your move")
        await screen.until(partial(has_changed, screen, match), "the rematch")
        send_keys(screen, "\r")
        await screen.see("Another board has opened")
        assert shown_match(screen).view.result is None
        assert screen.app.query_one("#command", Input).value == "resign"
        send_keys(screen, "\r")
        await screen.see("You lost")


async def test_a_list_is_closed_by_a_match_that_opens_by_itself(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ben:
        await screen.type("find morris 7+7", "Looking for an opponent")
        await screen.type("games", "Games; pick one")
        await ben.type("find morris 7+7", "begins|to move|Your move")
        await screen.see("Messages")


async def test_a_line_of_the_line_mode_that_was_begun_before_a_match_opened_is_not_run(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        _, first, other = await begin_morris(ann, ben)
        await first.type("resign", "You lost")
        await first.type("rematch", "You want a rematch|You offer a rematch|rematch")
        first.is_typing = True
        await other.hear("wants a rematch")
        await other.type("accept", "begins|to move|Your move")
        await first.hear("to move|Your move")
        await first.type("resign", "Another board has opened")
        await first.type("resign", "You lost")


async def test_a_move_without_a_board_is_kept(server: ServerProcess) -> None:
    async with screened(server) as screen, seated(server) as ann:
        await screen.type("d6", "No board is open yet")
        assert screen.app.query_one("#command", Input).value == "d6"
        await ann.type("d6", "No board is open for the move d6")


async def test_a_line_that_a_list_does_not_have_is_a_command(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("games", "Games; pick one")
        await screen.type("here morris", "White is to move")


async def test_pasted_text_goes_to_the_command_line(server: ServerProcess) -> None:
    async with screened(server) as screen:
        await screen.type("here morris", "White is to move")
        screen.app.post_message(events.Paste("d6"))
        send_keys(screen, "\r")
        await screen.see("1. White: d6")

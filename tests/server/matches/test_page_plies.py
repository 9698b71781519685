"""Matches in which a page has thought for the bot: known by the stored events, and without a result in records."""

import pytest

from millrace.protocol import CommandId, Ended, Moved, Play
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_match
from millrace.server.matches.finish import finish_after
from millrace.server.matches.fold import apply_event
from millrace.server.matches.match import Match
from tests.server.matches.folding import ANN, BOT, MATCH, ME, create, fold, obey

OVER = Entry(Ended((2, 1), "no_moves", "Black won", None, None), 0)


@pytest.fixture
def bots_turn() -> Match:
    """A match in which Ann has moved, by a command, and the bot is next."""
    return obey(fold(open_match(create(ME, BOT), ANN, (0, 1), 0)), Play(CommandId("p"), MATCH, 0, "d6"), ANN)


def ply(command_id: str | None) -> Entry:
    """The bot's ply, with the command of a page unless that is None."""
    moved = Moved(1, "f4", None)
    return Entry(moved, 0) if command_id is None else Entry(moved, 0, 1, CommandId(command_id))


@pytest.mark.parametrize(("command_id", "is_by_page"), [("x-1", True), (None, False)])
def test_a_bots_ply_with_a_command_is_a_pages(bots_turn: Match, command_id: str | None, is_by_page: bool) -> None:
    assert not bots_turn.has_page_plies
    after = apply_event(bots_turn, Recorded(bots_turn.seq + 1, ply(command_id)))
    assert after.has_page_plies == is_by_page


@pytest.mark.parametrize(
    ("command_id", "result", "of_seats"), [("x-1", "none", ["none", "none"]), (None, "decided", ["lost", "won"])]
)
def test_a_page_that_ends_the_match_leaves_no_result(
    bots_turn: Match, command_id: str | None, result: str, of_seats: list[str]
) -> None:
    finish = finish_after(bots_turn, [ply(command_id), OVER])
    assert finish is not None
    assert finish.archived_ms is not None
    assert (finish.result, [each.result for each in finish.seats]) == (result, of_seats)

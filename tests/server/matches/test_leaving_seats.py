"""Leaving a seat before the match starts, and who may call a waiting match off."""

import pytest

from millrace.protocol import (
    Abort,
    Code,
    CommandId,
    Create,
    IdentityId,
    Join,
    LeaveSeat,
    MatchCommand,
    Player,
    SeatFreed,
)
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_match
from millrace.server.matches.idempotency import AcceptedCommands, command_seat
from millrace.server.matches.match import Match, Phase
from millrace.server.matches.referee import decide
from tests.server.matches.folding import ANN, BEN, EVE, MATCH, ME, OPEN, fold, obey, over, refusal_of, started

DAN = Player(IdentityId("guest-dan"), "Dan")
LEAVE = LeaveSeat(CommandId("l"), MATCH, 1)


def waiting(*players: Player) -> Match:
    """A table for four of Ann's, which these players have joined."""
    create = Create(CommandId("c"), "battlesheep", (ME, OPEN, OPEN, OPEN), "seats=4")
    match = fold(open_match(create, ANN, range(4), 0))
    for number, player in enumerate(players):
        match = obey(match, Join(CommandId(f"j{number}"), MATCH), player)
    return match


def test_a_player_who_joined_leaves_and_the_seat_is_open_again() -> None:
    match = waiting(BEN, EVE)
    assert decide(match, LEAVE, BEN, 0).events == [SeatFreed(1, BEN)]
    left = obey(match, LEAVE, BEN)
    assert (left.players, left.phase) == ((ANN, None, EVE, None), Phase.WAITING)
    assert left.people == {ANN.id, EVE.id}
    again = obey(obey(left, Join(CommandId("a"), MATCH), DAN), Join(CommandId("b"), MATCH), BEN)
    assert (again.players, again.phase) == ((ANN, DAN, EVE, BEN), Phase.PLAYING)


@pytest.mark.parametrize(
    ("match", "command", "player", "code"),
    [
        (waiting(BEN), LeaveSeat(CommandId("l"), MATCH, 0), ANN, Code.HOST_STAYS),
        (waiting(BEN), LEAVE, EVE, Code.NOT_YOUR_SEAT),
        (waiting(BEN), LeaveSeat(CommandId("l"), MATCH, 2), BEN, Code.NOT_YOUR_SEAT),
        (waiting(BEN), Abort(CommandId("a"), MATCH, 1), BEN, Code.HOST_NEEDED),
        (obey(waiting(), Abort(CommandId("a"), MATCH, 0), ANN), Join(CommandId("x"), MATCH), BEN, Code.MATCH_OVER),
        (started(), LEAVE, BEN, Code.ALREADY_STARTED),
        (over(), LEAVE, BEN, Code.MATCH_OVER),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_code(
    match: Match, command: MatchCommand, player: Player, code: Code
) -> None:
    assert refusal_of(match, command, player) is code


def test_the_host_calls_the_match_off_and_after_the_start_every_player_may() -> None:
    assert obey(waiting(BEN), Abort(CommandId("a"), MATCH, 0), ANN).phase is Phase.OVER
    assert obey(started(), Abort(CommandId("a"), MATCH, 1), BEN).phase is Phase.OVER


def test_a_repeated_command_of_a_player_who_has_left_is_known() -> None:
    match, accepted = waiting(BEN), AcceptedCommands()
    assert accepted.find(match, LEAVE, BEN) is None
    (event,) = decide(match, LEAVE, BEN, 0).events
    entry = Entry(event, 0, command_seat(match, LEAVE, BEN, [event]), LEAVE.id)
    accepted.add(Recorded(match.seq + 1, entry))
    assert accepted.find(obey(match, LEAVE, BEN), LEAVE, BEN) == match.seq + 1

"""A repeated command is recognized."""

from millrace.protocol import CommandId, Create, Decline, Join, MatchCommand, Play, Player
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import apply_event
from millrace.server.matches.idempotency import AcceptedCommands, command_seat
from millrace.server.matches.match import Match
from millrace.server.matches.referee import decide
from tests.server.matches.folding import ANN, BEN, EVE, MATCH, ME, OPEN, fold, waiting

JOIN = Join(CommandId("same"), MATCH)
PLAY = Play(CommandId("1"), MATCH, 0, "d6")


def obey(match: Match, command: MatchCommand, player: Player, accepted: AcceptedCommands) -> Match:
    """Store what the command leads to."""
    events = decide(match, command, player, 0).events
    seat = command_seat(match, command, player, events)
    entries = [Entry(events[0], 0, seat, command.id), *(Entry(event, 0) for event in events[1:])]
    for entry in entries:
        recorded = Recorded(match.seq + 1, entry)
        match = apply_event(match, recorded)
        accepted.add(recorded)
    return match


def test_a_repeated_command_is_recognized_by_seat_and_id() -> None:
    accepted = AcceptedCommands()
    match = obey(waiting(), JOIN, BEN, accepted)
    match = obey(match, PLAY, ANN, accepted)
    assert accepted.find(match, PLAY, ANN) == match.seq
    assert accepted.find(match, PLAY, BEN) is None
    assert accepted.find(match, Play(CommandId("2"), MATCH, 0, "d6"), ANN) is None


def test_a_repeated_decline_is_recognized() -> None:
    accepted = AcceptedCommands()
    create = Create(CommandId("c"), "morris", (ME, OPEN), invited="Ben")
    match = fold(open_match(create, ANN, (0, 1), 0, invited=BEN.id))
    decline = Decline(CommandId("d"), MATCH)
    match = obey(match, decline, BEN, accepted)
    assert accepted.find(match, decline, BEN) == match.seq


def test_a_repeated_join_without_a_seat_is_recognized() -> None:
    accepted = AcceptedCommands()
    match = waiting()
    joined_seq = match.seq + 1
    match = obey(match, JOIN, BEN, accepted)
    assert accepted.find(match, JOIN, BEN) == joined_seq
    assert accepted.find(match, JOIN, EVE) is None

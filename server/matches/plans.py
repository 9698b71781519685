"""Plans: conditional moves in a match by correspondence, and which reply is due.

Pure. A plan is lines of play from a position on; lines that begin alike form a tree. What is left of it follows from
the plies since. Once the match has left the tree, or a ply was taken back, nothing is left, and nothing comes back.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from millrace.engine.state import State
from millrace.protocol import Code, Event, Moved, SetPlan
from millrace.protocol.refusal import Refusal

from .match import Match, Phase
from .referee import Decision, decide_ply, play_text

MAX_REPLIES = 100
"""Maximum planned replies in a plan; those that several lines share count once."""
MAX_PLIES = 60
"""Maximum plies of a line."""

Lines: TypeAlias = tuple[tuple[str, ...], ...]
"""Lines of move texts, each from the same position on."""


class StoredPlan(NamedTuple):
    """What a player planned, and when."""

    seq: int
    """Of the match's latest event at that time."""
    ply: int
    """The number of plies after which the lines begin."""
    lines: Lines


def is_by_correspondence(match: Match) -> bool:
    """Return whether players have days for each ply, so that they may plan."""
    return match.clock is not None and match.clock.settings.renews


def plan_moves(match: Match, command: SetPlan) -> StoredPlan:
    """Return the plan of a command as it is stored, with every move in its standard form. Raises: Refusal."""
    _require_plannable(match, command)
    replies: dict[tuple[str, ...], str] = {}
    lines = tuple(_checked(match.state, command.seat, line, replies) for line in command.lines)
    if len(replies) > MAX_REPLIES:
        raise Refusal(
            Code.PLAN_TOO_LARGE,
            "A plan has at most {most} replies; this one has {count}.",
            most=MAX_REPLIES,
            count=len(replies),
        )
    return StoredPlan(match.seq, match.state.ply, tuple(dict.fromkeys(lines)))


def rest_of_plan(match: Match, seat: int, plan: StoredPlan) -> Lines:
    """Return what is left of a seat's plan, as lines from the position on the board."""
    is_playing = match.phase is Phase.PLAYING and match.departure_of(seat) is None
    if not is_playing or match.taken_back_seq > plan.seq:
        return ()
    rest = plan.lines
    for before, after in zip(match.state.line[plan.ply :], match.state.line[plan.ply + 1 :], strict=False):
        if before.forced_pass is None:
            move = before.format_move(after.move)
            rest = tuple(line[1:] for line in rest if line and line[0] == move)
    return tuple(dict.fromkeys(line for line in rest if line))


def planned_reply(match: Match, seat: int, plan: StoredPlan, now_ms: int) -> Decision:
    """Return the ply that a seat had planned for the position on the board; no events if there is none."""
    mover = match.mover
    rest = rest_of_plan(match, seat, plan)
    if not rest or match.to_move != seat or mover is None or mover.level is not None:
        return Decision([])
    decision = decide_ply(match, seat, rest[0][0], now_ms)
    return decision._replace(events=[_marked(event) for event in decision.events])


def _marked(event: Event) -> Event:
    return replace(event, planned=True) if isinstance(event, Moved) and not event.forced else event


def _require_plannable(match: Match, command: SetPlan) -> None:
    if command.seat not in range(len(match.players)):
        raise Refusal(Code.BAD_SEATS, "This match has {seats} seats, counted from 0.", seats=len(match.players))
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The match is over.")
    if match.phase is Phase.WAITING:
        raise Refusal(Code.NOT_STARTED, "The match has not started; a seat is still open.")
    if match.departure_of(command.seat) is not None:
        raise Refusal(Code.SEAT_LEFT, "You have left this match; the others play on.")
    if not command.lines:
        return
    if not is_by_correspondence(match):
        raise Refusal(Code.BAD_PLAN, "You can plan moves only in correspondence matches.")
    if command.ply != match.state.ply:
        raise Refusal(Code.PLAN_OUTDATED, "A move has been made since. Plan again from the position on the board.")
    if match.to_move == command.seat:
        raise Refusal(Code.BAD_PLAN, "It is your turn. Make your move, then plan what follows.")


def _checked(start: State, seat: int, line: Sequence[str], replies: dict[tuple[str, ...], str]) -> tuple[str, ...]:
    """Return a line in standard form, and add its replies, by the moves before each. Raises: Refusal."""
    if len(line) > MAX_PLIES:
        raise Refusal(
            Code.PLAN_TOO_LARGE,
            "A line of a plan has at most {most} plies; one has {count}.",
            most=MAX_PLIES,
            count=len(line),
        )
    state, is_own = start, False
    moves: tuple[str, ...] = ()
    for text in line:
        if state.forced_pass is not None and text == state.format_move(state.forced_pass):
            state = state.after(state.forced_pass)
            continue
        state = _after_forced_passes(state)
        is_own = state.seat == seat
        move, state = _played(state, text, moves)
        if is_own and replies.setdefault(moves, move) != move:
            raise Refusal(
                Code.BAD_PLAN,
                "After {moves} you plan both {first} and {second}.",
                moves=_listed(moves),
                first=replies[moves],
                second=move,
            )
        moves = (*moves, move)
    if not is_own:
        raise Refusal(Code.BAD_PLAN, "After {moves} your reply is missing.", moves=_listed(moves))
    return moves


def _played(state: State, text: str, before: tuple[str, ...]) -> tuple[str, State]:
    """Return a move in its standard form, and the position after it. Raises: Refusal."""
    if state.outcome is not None:
        raise Refusal(
            Code.BAD_PLAN, "After {moves} the match is over; {text} cannot follow.", moves=_listed(before), text=text
        )
    try:
        after = play_text(state, text)
    except Refusal as refusal:
        where = f"After {_listed(before)}: " if before else ""
        raise Refusal(refusal.code, f"{where}{text}: {refusal.message}") from None
    return state.format_move(after.move), after


def _after_forced_passes(state: State) -> State:
    while state.outcome is None and state.forced_pass is not None:
        state = state.after(state.forced_pass)
    return state


def _listed(moves: Sequence[str]) -> str:
    return " ".join(moves) or "the position on the board"

"""Fair play: restricts help from the engine while matches are in progress. Pure.

Nobody may analyse a match before it is over. Players of a rated match may not analyse any position of that game, since
similar lines help as much as the position itself; players of a casual match may not analyse the position on its board.
A bot that plays on from a position helps like an analysis of it. Players are known by their identities; a player who
returns as another guest is not detected.
"""

from collections.abc import Iterable
from typing import TypeAlias

from millrace.engine.state import State
from millrace.protocol import AcceptOffer, ChangePlayer, Code, FillSeat, IdentityId, Offer, Rematch
from millrace.protocol.refusal import Refusal

from .creation import is_offered_start, is_random_start
from .match import Match, Phase

BotCommand: TypeAlias = FillSeat | Offer | AcceptOffer | ChangePlayer | Rematch
"""The commands that may give a seat to a bot."""


def require_over(match: Match) -> None:
    """Check that a match is over. Raises: Refusal."""
    if match.phase is not Phase.OVER:
        raise Refusal(Code.BEING_PLAYED, "This match is still in progress. You can analyse it when it is over.")


def require_fair(state: State, identity: IdentityId, playing: Iterable[Match]) -> None:
    """Check that analysing a position does not help a player in a match that they are playing. Raises: Refusal."""
    helped = _find_helped(state, identity, playing)
    if helped is not None and helped.created.rated:
        raise Refusal(
            Code.BEING_PLAYED,
            "You are playing a rated match of {game}. You can analyse {game} when it is over.",
            game=helped.state.game.title,
        )
    if helped is not None:
        raise Refusal(
            Code.BEING_PLAYED,
            "This is the position of a match you are playing. You can analyse it when the match is over.",
        )


def require_fair_bot(state: State, setup: str, identity: IdentityId, playing: Iterable[Match]) -> None:
    """Check that a bot that plays on from a position does not help a player in a match that they are playing.

    `setup` is how the match with the bot began. The game's own starts help nobody, except a random one that is also how
    a match began that the player is playing. Raises: Refusal.
    """
    game, seats = state.game.name, state.start.seats
    if state.ply == 0 and is_offered_start(game, setup, seats):
        begun, is_random = state.position_text, is_random_start(game, setup, seats)
        playing = [each for each in playing if is_random and each.state.line[0].position_text == begun]
    if _find_helped(state, identity, playing) is not None:
        raise Refusal(
            Code.BEING_PLAYED,
            "A bot would help you in a match of {game} that you are playing. Play this when it is over.",
            game=state.game.title,
        )


def position_for_bot(match: Match, command: BotCommand) -> State | None:
    """Return the position from which a bot would play on after a player's command; None if no bot takes a seat."""
    match command:
        case ChangePlayer(level=level):
            return None if level is None else match.state
        case Offer(kind=kind) | AcceptOffer(kind=kind):
            return match.state if kind == "hand_over" else None
        case Rematch():
            return match.state.line[0] if any(each is not None and each.level for each in match.players) else None
        case FillSeat():
            return match.state


def _find_helped(state: State, identity: IdentityId, playing: Iterable[Match]) -> Match | None:
    """Return one of the matches that a player is playing against others, in which a position would help."""
    for match in playing:
        # Built-in bots are not among the match's people.
        is_of_game = match.created.game == state.game.name and bool(match.people - {identity})
        if is_of_game and (match.created.rated or _is_same(match.state, state)):
            return match
    return None


def _is_same(one: State, other: State) -> bool:
    return (one.seat, one.start.seats, one.drawing) == (other.seat, other.start.seats, other.drawing)

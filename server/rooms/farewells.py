"""The farewell of a player whose account ends or is banned: seats are given up, and challenges declined."""

from millrace.protocol import Abort, Code, CommandId, Decline, LeaveSeat, MatchCommand, Player, Resign
from millrace.protocol.refusal import Refusal

from ..matches.match import Match, Phase
from .player_commands import carry_out
from .room import Room


async def give_up(room: Room, player: Player) -> None:
    """Resign or call off a match, or leave it before it begins. Raises: Refusal."""
    for seat in room.match.seats_of(player.id):
        try:
            await carry_out(room, _giving_up(room.match, player, seat), player)
        except Refusal as refusal:
            if refusal.code not in (Code.MATCH_OVER, Code.SEAT_LEFT):
                raise


async def decline(room: Room, player: Player) -> None:
    """Decline a challenge. Raises: Refusal."""
    try:
        await carry_out(room, Decline(CommandId("farewell"), room.match.id), player)
    except Refusal as refusal:
        if refusal.code is not Code.MATCH_OVER:
            raise


def _giving_up(match: Match, player: Player, seat: int) -> MatchCommand:
    """Return the command that gives up a seat."""
    command_id = CommandId(f"farewell-{seat}")
    if match.phase is not Phase.WAITING:
        return Resign(command_id, match.id, seat)
    is_guest = match.maker is not None and match.maker.id != player.id
    return LeaveSeat(command_id, match.id, seat) if is_guest else Abort(command_id, match.id, seat)

"""The commands about matches: creating, joining, playing, and offers. `client.match_feed` follows a match."""

from collections.abc import Sequence
from typing import Literal

from millrace.protocol import (
    Abort,
    Accepted,
    AcceptOffer,
    AskForSeat,
    ChooseStandIn,
    Claim,
    ClockSettings,
    Create,
    Decline,
    DeclineOffer,
    DeclineRematch,
    EndPause,
    FillSeat,
    GetPlan,
    GiveTime,
    Join,
    LeaveSeat,
    MatchCommand,
    MatchId,
    Offer,
    OfferKind,
    PauseBots,
    Plan,
    Play,
    Preview,
    Previewed,
    RatingRange,
    Rematch,
    Resign,
    ResumeBots,
    SeatPlan,
    SetPlan,
    StandIn,
)

from .requests import Requests, new_id

ME = SeatPlan("me")
"""In `create`: a seat for this player."""
OPEN = SeatPlan("open")
"""In `create`: an open seat."""


def bot(level: int | str) -> SeatPlan:
    """Return a seat for a bot, for `create`. `level` is a level's number or name, or the name of a personality."""
    return SeatPlan("bot", level)


class MatchCommands:
    """The commands about matches. Each returns when the server has stored its effect, or raises RefusedError."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def preview(self, game: str, setup: str = "") -> Previewed:
        """Return the start position of a set-up text. Raises: RefusedError, as `create` would."""
        return await self._requests.ask(Preview(new_id(), game, setup), Previewed)

    async def create(
        self,
        game: str,
        seats: Sequence[SeatPlan],
        *,
        setup: str = "",
        clock: ClockSettings | None = None,
        shuffle: bool = False,
        rated: bool = False,
        listed: bool = False,
        ratings: RatingRange | None = None,
        delay_plies: int = 0,
    ) -> Accepted:
        """Create a match with a plan for each seat; the answer has its id.

        A `listed` match is a seek that any player can join. Spectators see the match `delay_plies` plies late.
        """
        options = (shuffle, rated, listed, ratings)
        return await self._command(
            Create(new_id(), game, tuple(seats), setup, clock, *options, delay_plies=delay_plies)
        )

    async def challenge(
        self,
        name: str,
        game: str,
        seats: Sequence[SeatPlan] = (ME, OPEN),
        *,
        setup: str = "",
        clock: ClockSettings | None = None,
        shuffle: bool = True,
        rated: bool = False,
    ) -> Accepted:
        """Challenge the owner of an account to a match. Only that player can take the open seat."""
        return await self._command(Create(new_id(), game, tuple(seats), setup, clock, shuffle, rated, invited=name))

    async def decline(self, match: MatchId) -> Accepted:
        """Decline a challenge. `join` accepts one."""
        return await self._command(Decline(new_id(), match))

    async def join(self, match: MatchId, seat: int | None = None) -> Accepted:
        """Take an open seat, by default the first one."""
        return await self._command(Join(new_id(), match, seat))

    async def fill_seat(self, match: MatchId, seat: int, level: int | str) -> Accepted:
        """Give an open seat to a bot."""
        return await self._command(FillSeat(new_id(), match, seat, level))

    async def leave_seat(self, match: MatchId, seat: int) -> Accepted:
        """Leave a seat that you joined, before the match starts."""
        return await self._command(LeaveSeat(new_id(), match, seat))

    async def play(self, match: MatchId, seat: int, move: str) -> Accepted:
        """Play a move: its text, or its clicks separated by spaces."""
        return await self._command(Play(new_id(), match, seat, move))

    async def resign(self, match: MatchId, seat: int) -> Accepted:
        """Resign. With three or four seats, the match continues for the others."""
        return await self._command(Resign(new_id(), match, seat))

    async def choose_stand_in(self, match: MatchId, seat: int, for_seat: int, choice: StandIn) -> Accepted:
        """Vote on a seat whose player has left: `bot` or `skip`."""
        return await self._command(ChooseStandIn(new_id(), match, seat, for_seat, choice))

    async def abort(self, match: MatchId, seat: int) -> Accepted:
        """Abort the match, which is possible until every seat has moved."""
        return await self._command(Abort(new_id(), match, seat))

    async def claim(
        self, match: MatchId, seat: int, for_seat: int, outcome: Literal["win", "draw", "stand_in"]
    ) -> Accepted:
        """Claim a result because another player is absent: `win` or `draw` with two seats, `stand_in` with more."""
        return await self._command(Claim(new_id(), match, seat, for_seat, outcome))

    async def rematch(self, match: MatchId, seat: int) -> Accepted:
        """Offer a rematch, or accept one."""
        return await self._command(Rematch(new_id(), match, seat))

    async def decline_rematch(self, match: MatchId, seat: int) -> Accepted:
        """Decline a rematch, or withdraw the offer of one."""
        return await self._command(DeclineRematch(new_id(), match, seat))

    async def offer(
        self, match: MatchId, seat: int, kind: OfferKind, ply: int | None = None, level: int | str | None = None
    ) -> Accepted:
        """Offer a `draw` or a `pause`, or ask for a `takeback`. If this was already offered to the seat, accept it.

        With `hand_over`, ask for a bot of `level` to play on for the seat. `ply` is the number of plies that the player
        has seen. If the match has more by then, nothing is offered.
        """
        return await self._command(Offer(new_id(), match, seat, kind, ply, level))

    async def ask_for_seat(self, match: MatchId, seat: int) -> Accepted:
        """Ask, as a spectator, to play on for the built-in bot of a seat."""
        return await self._command(AskForSeat(new_id(), match, seat))

    async def pause_bots(self, match: MatchId) -> Accepted:
        """Pause a match between bots that you created."""
        return await self._command(PauseBots(new_id(), match))

    async def resume_bots(self, match: MatchId, plies: int | None = None) -> Accepted:
        """Resume a match between bots that you created, for a number of plies or until its end."""
        return await self._command(ResumeBots(new_id(), match, plies))

    async def accept_offer(self, match: MatchId, seat: int, kind: OfferKind) -> Accepted:
        """Accept an offer."""
        return await self._command(AcceptOffer(new_id(), match, seat, kind))

    async def decline_offer(self, match: MatchId, seat: int, kind: OfferKind) -> Accepted:
        """Decline an offer, or withdraw this seat's own."""
        return await self._command(DeclineOffer(new_id(), match, seat, kind))

    async def give_time(self, match: MatchId, seat: int) -> Accepted:
        """Give every opponent 15 seconds."""
        return await self._command(GiveTime(new_id(), match, seat))

    async def end_pause(self, match: MatchId, seat: int) -> Accepted:
        """End a pause."""
        return await self._command(EndPause(new_id(), match, seat))

    async def set_plan(self, match: MatchId, seat: int, ply: int, lines: Sequence[Sequence[str]]) -> Plan:
        """Plan replies in a correspondence match. This replaces an earlier plan; no lines delete it.

        Each line continues the match after its first `ply` plies and ends with a move of this player. The server plays
        a reply as soon as the opponents have made the moves before it.
        """
        return await self._requests.ask(SetPlan(new_id(), match, seat, ply, tuple(map(tuple, lines))), Plan)

    async def get_plan(self, match: MatchId, seat: int) -> Plan:
        """Return what is left of this player's plan."""
        return await self._requests.ask(GetPlan(new_id(), match, seat), Plan)

    async def _command(self, command: Create | MatchCommand) -> Accepted:
        return await self._requests.ask(command, Accepted, is_retried=True)

"""The commands about matches: creating, joining, playing, and offers. `client.match_feed` follows a match."""

from collections.abc import Sequence
from typing import Literal

from millrace import protocol

from .requests import Requests, new_id

ME = protocol.SeatPlan("me")
"""In `create`: a seat for this player."""
OPEN = protocol.SeatPlan("open")
"""In `create`: an open seat."""


def bot(level: int | str) -> protocol.SeatPlan:
    """Return a seat for a bot, for `create`. `level` is a level's number or name, or the name of a personality."""
    return protocol.SeatPlan("bot", level)


class MatchCommands:
    """The commands about matches. Each returns when the server has stored its effect, or raises RefusedError."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def preview(self, game: str, setup: str = "") -> protocol.Previewed:
        """Return the start position of a set-up text. Raises: RefusedError, as `create` would."""
        return await self._requests.ask(protocol.Preview(new_id(), game, setup), protocol.Previewed)

    async def create(
        self,
        game: str,
        seats: Sequence[protocol.SeatPlan],
        *,
        setup: str = "",
        clock: protocol.ClockSettings | None = None,
        shuffle: bool = False,
        rated: bool = False,
        listed: bool = False,
        ratings: protocol.RatingRange | None = None,
        delay_plies: int = 0,
    ) -> protocol.Accepted:
        """Create a match with a plan for each seat; the answer has its id.

        A `listed` match is a seek that any player can join. Spectators see the match `delay_plies` plies late.
        """
        options = (shuffle, rated, listed, ratings)
        return await self._command(
            protocol.Create(new_id(), game, tuple(seats), setup, clock, *options, delay_plies=delay_plies)
        )

    async def challenge(
        self,
        name: str,
        game: str,
        seats: Sequence[protocol.SeatPlan] = (ME, OPEN),
        *,
        setup: str = "",
        clock: protocol.ClockSettings | None = None,
        shuffle: bool = True,
        rated: bool = False,
    ) -> protocol.Accepted:
        """Challenge the owner of an account to a match. Only that player can take the open seat."""
        return await self._command(
            protocol.Create(new_id(), game, tuple(seats), setup, clock, shuffle, rated, invited=name)
        )

    async def decline(self, match: protocol.MatchId) -> protocol.Accepted:
        """Decline a challenge. `join` accepts one."""
        return await self._command(protocol.Decline(new_id(), match))

    async def join(self, match: protocol.MatchId, seat: int | None = None) -> protocol.Accepted:
        """Take an open seat, by default the first one."""
        return await self._command(protocol.Join(new_id(), match, seat))

    async def fill_seat(self, match: protocol.MatchId, seat: int, level: int | str) -> protocol.Accepted:
        """Give an open seat to a bot."""
        return await self._command(protocol.FillSeat(new_id(), match, seat, level))

    async def leave_seat(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Leave a seat that you joined, before the match starts."""
        return await self._command(protocol.LeaveSeat(new_id(), match, seat))

    async def play(self, match: protocol.MatchId, seat: int, move: str) -> protocol.Accepted:
        """Play a move: its text, or its clicks separated by spaces."""
        return await self._command(protocol.Play(new_id(), match, seat, move))

    async def resign(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Resign. With three or four seats, the match continues for the others."""
        return await self._command(protocol.Resign(new_id(), match, seat))

    async def choose_stand_in(
        self, match: protocol.MatchId, seat: int, for_seat: int, choice: protocol.StandIn
    ) -> protocol.Accepted:
        """Vote on a seat whose player has left: `bot` or `skip`."""
        return await self._command(protocol.ChooseStandIn(new_id(), match, seat, for_seat, choice))

    async def abort(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Abort the match, which is possible until every seat has moved."""
        return await self._command(protocol.Abort(new_id(), match, seat))

    async def claim(
        self, match: protocol.MatchId, seat: int, for_seat: int, outcome: Literal["win", "draw", "stand_in"]
    ) -> protocol.Accepted:
        """Claim a result because another player is absent: `win` or `draw` with two seats, `stand_in` with more."""
        return await self._command(protocol.Claim(new_id(), match, seat, for_seat, outcome))

    async def rematch(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Offer a rematch, or accept one."""
        return await self._command(protocol.Rematch(new_id(), match, seat))

    async def decline_rematch(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Decline a rematch, or withdraw the offer of one."""
        return await self._command(protocol.DeclineRematch(new_id(), match, seat))

    async def offer(
        self,
        match: protocol.MatchId,
        seat: int,
        kind: protocol.OfferKind,
        ply: int | None = None,
        level: int | str | None = None,
    ) -> protocol.Accepted:
        """Offer a `draw` or a `pause`, or ask for a `takeback`. If this was already offered to the seat, accept it.

        With `hand_over`, ask for a bot of `level` to play on for the seat. `ply` is the number of plies that the player
        has seen. If the match has more by then, nothing is offered.
        """
        return await self._command(protocol.Offer(new_id(), match, seat, kind, ply, level))

    async def ask_for_seat(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Ask, as a spectator, to play on for the built-in bot of a seat."""
        return await self._command(protocol.AskForSeat(new_id(), match, seat))

    async def change_player(
        self, match: protocol.MatchId, seat: int, level: int | str | None = None
    ) -> protocol.Accepted:
        """Give a seat of a casual match in which no other person plays to a bot of `level`, or take it (None)."""
        return await self._command(protocol.ChangePlayer(new_id(), match, seat, level))

    async def pause_bots(self, match: protocol.MatchId) -> protocol.Accepted:
        """Pause a match between bots that you created."""
        return await self._command(protocol.PauseBots(new_id(), match))

    async def resume_bots(self, match: protocol.MatchId, plies: int | None = None) -> protocol.Accepted:
        """Resume a match between bots that you created, for a number of plies or until its end."""
        return await self._command(protocol.ResumeBots(new_id(), match, plies))

    async def accept_offer(self, match: protocol.MatchId, seat: int, kind: protocol.OfferKind) -> protocol.Accepted:
        """Accept an offer."""
        return await self._command(protocol.AcceptOffer(new_id(), match, seat, kind))

    async def decline_offer(self, match: protocol.MatchId, seat: int, kind: protocol.OfferKind) -> protocol.Accepted:
        """Decline an offer, or withdraw this seat's own."""
        return await self._command(protocol.DeclineOffer(new_id(), match, seat, kind))

    async def give_time(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Give every opponent 15 seconds."""
        return await self._command(protocol.GiveTime(new_id(), match, seat))

    async def berserk(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """Halve your time before your first move in a match of a tournament, for one more point if you win."""
        return await self._command(protocol.Berserk(new_id(), match, seat))

    async def end_pause(self, match: protocol.MatchId, seat: int) -> protocol.Accepted:
        """End a pause."""
        return await self._command(protocol.EndPause(new_id(), match, seat))

    async def set_plan(
        self, match: protocol.MatchId, seat: int, ply: int, lines: Sequence[Sequence[str]]
    ) -> protocol.Plan:
        """Plan replies in a correspondence match. This replaces an earlier plan; no lines delete it.

        Each line continues the match after its first `ply` plies and ends with a move of this player. The server plays
        a reply as soon as the opponents have made the moves before it.
        """
        return await self._requests.ask(
            protocol.SetPlan(new_id(), match, seat, ply, tuple(map(tuple, lines))), protocol.Plan
        )

    async def get_plan(self, match: protocol.MatchId, seat: int) -> protocol.Plan:
        """Return what is left of this player's plan."""
        return await self._requests.ask(protocol.GetPlan(new_id(), match, seat), protocol.Plan)

    async def describe(self, match: protocol.MatchId, ply: int) -> protocol.Described:
        """Return the position of a match after `ply` plies as text, also in the notations of other programs."""
        return await self._requests.ask(protocol.Describe(new_id(), match, ply), protocol.Described)

    async def _command(self, command: protocol.Create | protocol.MatchCommand) -> protocol.Accepted:
        return await self._requests.ask(command, protocol.Accepted, is_retried=True)

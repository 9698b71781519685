"""What a player may ask about matches: to make them, to sit down, to play, and what is settled at the board.

Following a match is `client.match_feed`.
"""

from collections.abc import Sequence
from typing import Literal

from millrace.server.protocol import (
    Abort,
    Accepted,
    AcceptOffer,
    ChooseStandIn,
    Claim,
    ClockSettings,
    Create,
    Decline,
    DeclineOffer,
    DeclineRematch,
    EndPause,
    FillSeat,
    GiveTime,
    Join,
    MatchCommand,
    MatchId,
    Offer,
    OfferKind,
    Play,
    Preview,
    Previewed,
    RatingRange,
    Rematch,
    Resign,
    SeatPlan,
    StandIn,
)

from .requests import Requests, new_id

ME = SeatPlan("me")
"""In `create`: this player's seat."""
OPEN = SeatPlan("open")
"""In `create`: a seat for whoever comes."""


def bot(level: int | str) -> SeatPlan:
    """Return the plan, for `create`, of a seat for a bot: a level, or the name of a level or of a personality."""
    return SeatPlan("bot", level)


class MatchCommands:
    """The commands about matches. Each returns when its effect is stored, and raises RefusedError if it has none."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def preview(self, game: str, setup: str = "") -> Previewed:
        """Ask what a match from a set-up text would begin with. Raises: RefusedError, as `create` would."""
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
        """Make a match with a plan for each seat; the answer names it. A `listed` one is a seek for whoever comes;
        those who watch one with a delay hear of what happens so many plies later."""
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
        """Challenge the owner of an account to a match, whose one open seat is for that player alone."""
        return await self._command(Create(new_id(), game, tuple(seats), setup, clock, shuffle, rated, invited=name))

    async def decline(self, match: MatchId) -> Accepted:
        """Turn a challenge down; one is accepted by `join`."""
        return await self._command(Decline(new_id(), match))

    async def join(self, match: MatchId, seat: int | None = None) -> Accepted:
        """Take an open seat, by default the first."""
        return await self._command(Join(new_id(), match, seat))

    async def fill_seat(self, match: MatchId, seat: int, level: int | str) -> Accepted:
        """Put a bot into an open seat."""
        return await self._command(FillSeat(new_id(), match, seat, level))

    async def play(self, match: MatchId, seat: int, move: str) -> Accepted:
        """Make a ply: a move's text, or its clicks divided by spaces."""
        return await self._command(Play(new_id(), match, seat, move))

    async def resign(self, match: MatchId, seat: int) -> Accepted:
        """Give the match up; with three or four seats it goes on for the others."""
        return await self._command(Resign(new_id(), match, seat))

    async def choose_stand_in(self, match: MatchId, seat: int, for_seat: int, choice: StandIn) -> Accepted:
        """Vote, by an own seat, on one whose player has left: `bot` or `skip`."""
        return await self._command(ChooseStandIn(new_id(), match, seat, for_seat, choice))

    async def abort(self, match: MatchId, seat: int) -> Accepted:
        """Call the match off; possible until every seat has made a ply."""
        return await self._command(Abort(new_id(), match, seat))

    async def claim(
        self, match: MatchId, seat: int, for_seat: int, outcome: Literal["win", "draw", "stand_in"]
    ) -> Accepted:
        """Claim, by an own seat, what the absence of another's player entitles to: with two seats `win` or `draw`, with
        more a `stand_in`."""
        return await self._command(Claim(new_id(), match, seat, for_seat, outcome))

    async def rematch(self, match: MatchId, seat: int) -> Accepted:
        """Offer another match, or accept that offer."""
        return await self._command(Rematch(new_id(), match, seat))

    async def decline_rematch(self, match: MatchId, seat: int) -> Accepted:
        """Take no part in another match, or withdraw one's offer of it."""
        return await self._command(DeclineRematch(new_id(), match, seat))

    async def offer(self, match: MatchId, seat: int, kind: OfferKind, ply: int | None = None) -> Accepted:
        """Offer a `draw` or a `pause`, or ask for a `takeback`; where that is offered to this seat it is accepted.

        `ply` is how many plies were seen: if there are more by then, nothing is offered.
        """
        return await self._command(Offer(new_id(), match, seat, kind, ply))

    async def accept_offer(self, match: MatchId, seat: int, kind: OfferKind) -> Accepted:
        """Agree to what is offered."""
        return await self._command(AcceptOffer(new_id(), match, seat, kind))

    async def decline_offer(self, match: MatchId, seat: int, kind: OfferKind) -> Accepted:
        """Disagree with what is offered, or withdraw what this seat has offered."""
        return await self._command(DeclineOffer(new_id(), match, seat, kind))

    async def give_time(self, match: MatchId, seat: int) -> Accepted:
        """Give everyone else who plays 15 s more."""
        return await self._command(GiveTime(new_id(), match, seat))

    async def end_pause(self, match: MatchId, seat: int) -> Accepted:
        """Play on after a pause."""
        return await self._command(EndPause(new_id(), match, seat))

    async def _command(self, command: Create | MatchCommand) -> Accepted:
        return await self._requests.ask(command, Accepted)

"""The open match of a terminal: prints what happens, and plays moves."""

import asyncio
from collections.abc import Sequence

from millrace.server.protocol import MatchEvent, MatchId, OfferDeclined

from ..connection import Connection
from ..match_feed import Update
from ..match_view import MatchView
from .command import UsageError
from .console import Console
from .match_lines import match_lines, player_name

MOST_LISTED = 4
"""Maximum number of new plies to list; of more only the number and the last one are printed."""


class OpenMatch:
    """A match that is followed, and the part of it that has been printed."""

    def __init__(self, me: Connection, console: Console, match: MatchId) -> None:
        self.match = match
        self._me = me
        self._console = console
        self._feed = me.watch(match)
        self._changed = asyncio.Event()
        self._printed = MatchView()

    @property
    def seat(self) -> int | None:
        """The player's seat: the one to move if it is theirs, otherwise the first of theirs."""
        turn, seats = self._feed.turn, self._feed.my_seats
        return turn.seat if turn is not None else seats[0] if seats else None

    @property
    def plies(self) -> int:
        """The number of plies received."""
        return len(self._feed.view.moves)

    async def follow(self) -> None:
        """Print the match until it is closed. Raises: ClientError."""
        async with self._feed as feed, asyncio.TaskGroup() as tasks:
            printing = [tasks.create_task(self._print_changes()), tasks.create_task(self._print_chat())]
            try:
                async for update in feed.updates():
                    self._print_declined_offer(update)
                    self._changed.set()
            finally:
                for task in printing:
                    task.cancel()

    def lines(self) -> list[str]:
        """Return the seats and the board."""
        return match_lines(self._me.games, self._feed.view, self._feed.board)

    def moves(self) -> Sequence[str]:
        """Return the legal moves, if it is the player's turn."""
        return () if self._feed.turn is None else self._feed.turn.moves

    async def play(self, move: str) -> None:
        """Play a move. Raises: UsageError, RefusedError."""
        if self._feed.turn is None:
            raise UsageError("It is not your turn.")
        await self._feed.turn.play(move)

    async def _print_changes(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            # Everything that arrived together has been read by now and is printed at once.
            await asyncio.sleep(0)
            view, printed = self._feed.view, self._printed
            if view.seq == printed.seq or view.created is None:
                continue
            self._printed = view
            self._console.say("\n".join([*_news(printed, view), *self._status_lines()]))

    def _print_declined_offer(self, update: Update) -> None:
        """Print that an offer was declined or withdrawn, if that happened after the match was opened."""
        if not isinstance(update, MatchEvent) or not isinstance(update.event, OfferDeclined):
            return
        if update.seq > self._feed.latest_seq:
            self._console.say(f"{player_name(self._feed.view, update.event.seat)} declines the {update.event.kind}.")

    async def _print_chat(self) -> None:
        """Print the match's chat."""
        async with self._me.chat.listen(self.match) as feed:
            async for line in feed:
                self._console.say(f"{line.player.name}: {line.text}")

    def _status_lines(self) -> list[str]:
        view = self._feed.view
        if view.result is not None:
            return [*self.lines(), f"The match is over: {view.result.explanation}"]
        if view.to_move is not None and view.to_move in self._feed.my_seats:
            return [*self.lines(), "Your move. Type moves to list your legal moves."]
        return [] if self._feed.my_seats and self.plies else self.lines()


def _news(printed: MatchView, view: MatchView) -> list[str]:
    """Return lines about the events since the printed ones."""
    if len(view.moves) < len(printed.moves):
        return [f"A takeback: the match is back at ply {len(view.moves)}."]
    new = view.moves[len(printed.moves) :]
    if len(new) > MOST_LISTED:
        return [f"{len(new)} plies were played, the last one {new[-1]}."]
    lines = [f"{len(printed.moves) + number}. {move}" for number, move in enumerate(new, 1)]
    offers = [offer for offer in view.offers if offer not in printed.offers]
    lines += [f"{player_name(view, offer.seat)} offers a {offer.kind}." for offer in offers]
    return lines

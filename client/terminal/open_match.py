"""The match that lies open at a terminal: told as it goes on, played, or gone through ply by ply."""

import asyncio
from collections.abc import Sequence

from millrace.server.protocol import Board, MatchEvent, MatchId, OfferDeclined

from ..connection import Connection
from ..match_feed import Update
from ..match_view import MatchView
from .board import draw_board
from .command import UsageError
from .console import Console
from .formatting import time_words

MOST_TOLD = 4
"""Plies told one by one; of more only how many there were."""


class Table:
    """A match, and what of it has been told."""

    def __init__(self, me: Connection, console: Console, match: MatchId) -> None:
        self.match = match
        self._me = me
        self._console = console
        self._feed = me.watch(match)
        self._changed = asyncio.Event()
        self._told = MatchView()

    @property
    def seat(self) -> int | None:
        """The seat by which this player acts: the one to move, if it is theirs, or the first of theirs."""
        turn, seats = self._feed.turn, self._feed.my_seats
        return turn.seat if turn is not None else seats[0] if seats else None

    @property
    def plies(self) -> int:
        """How many have been seen."""
        return len(self._feed.view.moves)

    async def follow(self) -> None:
        """Tell the match until it is closed. Raises: ClientError."""
        async with self._feed as feed, asyncio.TaskGroup() as tasks:
            telling = [tasks.create_task(self._tell()), tasks.create_task(self._hear())]
            try:
                async for update in feed.updates():
                    self._tell_refusal(update)
                    self._changed.set()
            finally:
                for task in telling:
                    task.cancel()

    def lines(self) -> list[str]:
        """Return the seats and the board."""
        return _lines(self._me, self._feed.view, self._feed.board)

    def moves(self) -> Sequence[str]:
        """Return what may be played, if it is this player's turn."""
        return () if self._feed.turn is None else self._feed.turn.moves

    async def play(self, move: str) -> None:
        """Make a ply. Raises: UsageError, RefusedError."""
        if self._feed.turn is None:
            raise UsageError("It is not your turn.")
        await self._feed.turn.play(move)

    async def _tell(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            # All that arrived together has been read by now, and is told at once.
            await asyncio.sleep(0)
            view, told = self._feed.view, self._told
            if view.seq == told.seq or view.created is None:
                continue
            self._told = view
            self._console.say("\n".join([*_news(self._me, told, view), *self._ask()]))

    def _tell_refusal(self, update: Update) -> None:
        """Tell that an offer is declined, or withdrawn, now and not before the match was opened."""
        if not isinstance(update, MatchEvent) or not isinstance(update.event, OfferDeclined):
            return
        if update.seq > self._feed.latest_seq:
            self._console.say(f"{_name(self._feed.view, update.event.seat)} wants no {update.event.kind}.")

    async def _hear(self) -> None:
        """Tell what is said beside the match."""
        async with self._me.chat.listen(self.match) as feed:
            async for line in feed:
                self._console.say(f"{line.player.name}: {line.text}")

    def _ask(self) -> list[str]:
        view = self._feed.view
        if view.result is not None:
            return [*self.lines(), f"It is over: {view.result.explanation}"]
        if view.to_move is not None and view.to_move in self._feed.my_seats:
            return [*self.lines(), "Your move; `moves` lists what you may play."]
        return [] if self._feed.my_seats and self.plies else self.lines()


class Replay:
    """A match that is over, at one of its plies."""

    def __init__(self, me: Connection, match: MatchId, positions: Sequence[tuple[MatchView, Board | None]]) -> None:
        self.match = match
        self._me = me
        self._positions = positions
        self.ply = 0

    @property
    def plies(self) -> int:
        """How many there are."""
        return len(self._positions) - 1

    def go_to(self, ply: int) -> list[str]:
        """Return the lines of the match after a ply, or after the nearest that there is."""
        self.ply = min(max(ply, 0), self.plies)
        view, board = self._positions[self.ply]
        move = f": {view.moves[-1]}" if view.moves else ""
        lines = [f"After ply {self.ply} of {self.plies}{move}", *_lines(self._me, view, board)]
        return [*lines, view.result.explanation] if view.result is not None else lines


async def load_replay(me: Connection, match: MatchId) -> Replay:
    """Return a match from its start to its end, or as far as it has come. Raises: RefusedError."""
    async with me.watch(match) as feed:
        await feed.ready()
        positions = [(feed.view, feed.board)]
        updates = feed.updates()
        while feed.view.seq < feed.latest_seq:
            await anext(updates)
            # What happens between two plies belongs to the position after the first of them.
            positions[len(feed.view.moves) :] = [(feed.view, feed.board)]
    return Replay(me, match, positions)


def _news(me: Connection, told: MatchView, view: MatchView) -> list[str]:
    """Return what has happened since."""
    if len(view.moves) < len(told.moves):
        return [f"Plies were taken back; there are {len(view.moves)} now."]
    new = view.moves[len(told.moves) :]
    if len(new) > MOST_TOLD:
        return [f"{len(new)} plies were played; the last: {new[-1]}"]
    lines = [f"{len(told.moves) + number}. {move}" for number, move in enumerate(new, 1)]
    offers = [offer for offer in view.offers if offer not in told.offers]
    lines += [f"{_name(view, offer.seat)} offers: {offer.kind}" for offer in offers]
    return lines


def _lines(me: Connection, view: MatchView, board: Board | None) -> list[str]:
    if view.created is None or board is None:
        return []
    symbols = symbols_of(next(game.seat_names for game in me.games if game.name == view.created.game))
    lines = []
    for seat in range(len(view.players)):
        words = f"{'>' if view.to_move == seat else ' '} {symbols[seat]}  {_name(view, seat)}"
        if view.clocks_ms is not None:
            words += f"  {time_words(view.clocks_ms[seat])}"
        if seat < len(view.reserves) and view.reserves[seat]:
            words += f"  ({view.reserves[seat]} in hand)"
        lines.append(words)
    return [*lines, *draw_board(board, view.piles, symbols, view.ground, view.territory)]


def _name(view: MatchView, seat: int) -> str:
    player = view.players[seat]
    return player.name if player is not None else "(open)"


def symbols_of(seat_names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each seat: that of its name, where they differ.

    >>> symbols_of(["White", "Black"]), symbols_of(["Blue", "Black"])
    (('W', 'B'), ('A', 'B'))
    """
    letters = tuple(name[0].upper() for name in seat_names)
    return letters if len(set(letters)) == len(letters) else tuple("ABCD"[: len(letters)])

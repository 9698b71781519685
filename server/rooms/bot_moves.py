"""Bots' moves and their answers to draw offers: what a bot is asked, and what its reply leads to.

Searching is `server.bots`; when a bot is asked, and how its move is stored, is `server.rooms.automation`.
"""

import asyncio
import zlib
from collections.abc import Callable

from millrace.engine.levels.opponents import DRAW_PENALTY, DRAW_PENALTY_AGAINST_WEAKER, find_opponent
from millrace.engine.time_management import Budget, plan_time, plan_twentieth

from ..bots.requests import BotRequest, Urgency
from ..matches.automatic_events import with_automatic_events
from ..matches.built_in_bots import level_of_bot
from ..matches.match import Match
from ..matches.offers import answer_of_bot, bot_to_answer
from ..matches.referee import Decision, decide_ply
from .bot_searches import Search
from .page_bots import find_move
from .room import Room

MOVETIME_MS = 1_000
"""Maximum time for a move, whatever the clock has left."""

TWENTIETH_MS = 10_000
"""The same for a bot that takes a twentieth of the time left."""

EXHIBITION_PLY_SECONDS = 1.7
"""Minimum time for a ply of an exhibition, so that spectators can follow it."""

PACE_SHARE_OF_CLOCK = 1 / 60
"""At most this share of the bot's remaining time is spent on keeping the pace."""

WEAKER_BY = 200
"""Points from which an opponent counts as weaker than a bot."""

ANSWERING_LEVEL = 6
"""The level that scores the position for bots of every level: it errs seldom and costs little."""

Decide = Callable[[Match, int], Decision]
"""Decides something about a match as it stands, at a time in milliseconds. Raises: Refusal."""


async def search_move(room: Room, search: Search) -> Decide:
    """Ask the bot to move, keep the pace, and return what decides its move."""
    asked, services = search.match, room.services
    assert asked.mover is not None
    seat, level = asked.state.seat, level_of_bot(asked.mover)
    urgency = Urgency.EXHIBITION if asked.is_between_bots else Urgency.MOVE
    asked_at = room.loop.time()

    def request() -> BotRequest:
        return bot_request(asked, seat, level, urgency, _budget_of(asked, services.now_ms()))

    found = await find_move(room, request)
    search_seconds = room.loop.time() - asked_at
    await asyncio.sleep(_ply_seconds(room, asked) - search_seconds)
    search.has_returned = True

    def decide_move(match: Match, now_ms: int) -> Decision:
        if not search.is_current(match):
            return Decision([])
        return decide_ply(match, seat, found.move, now_ms)._replace(page_command=found.page_command)

    return decide_move


async def answer_draw_offer(room: Room) -> Decide | None:
    """Have a bot score the position, and return what decides its answer to the open draw offer; None if there is none
    for a bot."""
    asked = room.log.match
    seat = bot_to_answer(asked)
    if seat is None:
        return None
    score = await room.services.bots.evaluate(bot_request(asked, seat, ANSWERING_LEVEL, Urgency.ANALYSIS))

    def decide_answer(match: Match, now_ms: int) -> Decision:
        if bot_to_answer(match) != seat or match.state is not asked.state:
            return Decision([])
        return Decision(with_automatic_events(match, [answer_of_bot(match, seat, score)], now_ms))

    return decide_answer


def bot_request(
    match: Match, seat: int, level: int | str, urgency: Urgency, budget: Budget | None = None
) -> BotRequest:
    """Return the request that asks a bot about the position of a match."""
    takes_twentieth = find_opponent(level).takes_twentieth
    movetime_ms, soft_ms = None, None
    if budget is not None and takes_twentieth:
        movetime_ms = min(plan_twentieth(budget.last_ms), TWENTIETH_MS)
    elif budget is not None:
        movetime_ms, soft_ms = max(1.0, min(budget.hard_ms, MOVETIME_MS)), budget.soft_ms
    return BotRequest(
        game=match.created.game,
        setup=match.created.setup,
        moves=match.state.move_texts,
        level=level,
        seed=zlib.crc32(f"{match.id} {match.state.ply}".encode()),
        movetime_ms=movetime_ms,
        soft_ms=soft_ms,
        last_ms=None if budget is None else budget.last_ms,
        urgency=urgency,
        owner=min(match.people, default=match.id),
        table=f"{match.id} {seat}",
        draw_penalty=draw_penalty_of(match, seat),
    )


def draw_penalty_of(match: Match, seat: int) -> int:
    """Return by how much less than 0 a draw is worth to the strongest level at a seat, in hundredths of a man.

    Opponents without a rating count as weaker.
    """
    own, others = match.ratings[seat], (*match.ratings[:seat], *match.ratings[seat + 1 :])
    are_weaker = own is not None and all(other is None or other.rating <= own.rating - WEAKER_BY for other in others)
    return DRAW_PENALTY_AGAINST_WEAKER if are_weaker else DRAW_PENALTY


def _ply_seconds(room: Room, match: Match) -> float:
    """Return the minimum time for a ply, so that moves do not overlap on the board.

    There is none where only programs are at the match: bots with accounts lose no time. Built-in bots keep the pace
    among themselves, which spares the processors.
    """
    if match.created.exhibition:
        return EXHIBITION_PLY_SECONDS
    programs = {player.id for player in match.players if player is not None and player.bot}
    is_among_programs = not match.is_between_bots and programs.issuperset(room.presence.identities)
    if is_among_programs or match.departure_of(match.state.seat) is not None:
        return 0
    pace_seconds, clock = room.services.bot_pace_seconds, match.clock
    if clock is None:
        return pace_seconds
    left_ms = clock.time_to_spend_ms(match.state.seat, room.services.now_ms())
    return min(pace_seconds, left_ms * PACE_SHARE_OF_CLOCK / 1000)


def _budget_of(match: Match, now_ms: int) -> Budget | None:
    """Return the time for the move of the seat to move, or None if no clock runs for it."""
    clock = match.clock
    if clock is None or match.departure_of(match.state.seat) is not None:
        return None
    settings, left_ms = clock.settings, clock.time_to_spend_ms(match.state.seat, now_ms)
    free_ms = max(0, clock.since_ms - now_ms) if clock.running is not None else 0
    gained_ms = settings.increment_ms or settings.period_ms
    return plan_time(left_ms, gained_ms, free_ms, plies_to_go=1 if settings.renews else None)

"""Bots that a page thinks for: in a casual match of one person against one bot, the person's page may search its moves.

The seat stays the bot's, and the referee judges the move like any other. A cheating page can only weaken its own
opponent, so a match in which a page has moved has no result in records (`server.matches.finish`). Only the node that
owns the match asks, and only connections to itself.
"""

import asyncio
from collections.abc import Callable, Coroutine

from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.protocol import BotTurn, Code, PlayForBot
from millrace.protocol.frames import frame_of
from millrace.protocol.refusal import Refusal

from ..bots.requests import BotRequest
from ..callers.presence import Recipient
from ..matches.built_in_bots import level_of_bot
from ..matches.match import Match
from ..matches.referee import play_text
from ..runtime import metrics
from .bot_searches import FoundMove, PageTurn
from .room import Room

PAGE_SECONDS = 1.5
"""How long only the page thinks, without a clock; then the server's bots think too, and the first answer counts."""
LEAST_SECONDS = 0.2
"""A page that would have less than this is not asked."""
SHARE_OF_TIME = 0.5
"""With a clock: at most this share of the time for the move is the page's alone."""


def offer_to_think(room: Room, page: Recipient) -> None:
    """Ask a connection that watches the match from now on, before those that have offered earlier."""
    room.bot_searches.pages.pop(page, None)
    room.bot_searches.pages[page] = None


def withdraw_offer(room: Room, page: Recipient) -> None:
    """Ask a connection no more, and think for the bot at once if it was asked."""
    searches = room.bot_searches
    searches.pages.pop(page, None)
    if searches.page_turn is not None and searches.page_turn.page is page:
        searches.page_turn.end()


async def find_move(room: Room, request: Callable[[], BotRequest]) -> FoundMove:
    """Return the move of the bot whose turn it is: that of a page, or of the server's bots, which begin to think when a
    page is late or will not answer. Raises: BotError.

    `request` returns the request to the server's bots, with the time that is left.
    """
    requested = request()
    turn = _ask_page(room, requested)
    if turn is None:
        move = await room.services.bots.choose(requested)
        metrics.BOT_MOVES.labels("server").inc()
        return FoundMove(move)
    try:
        await asyncio.wait((turn.answer,), timeout=turn.seconds)
        found = turn.answer.result() if turn.answer.done() else None
        if found is None:
            room.bot_searches.pages.pop(turn.page, None)
            found = await _first_of(turn, room.services.bots.choose(request()))
    finally:
        turn.end()
    metrics.BOT_MOVES.labels("server_for_page" if found.page_command is None else "page").inc()
    return found


def take_move(room: Room, page: Recipient, command: PlayForBot) -> None:
    """Take a page's move for the bot. After an illegal one, the page is asked no more. Raises: Refusal."""
    turn = room.bot_searches.page_turn
    if turn is None or turn.page is not page or turn.seq != command.seq or turn.answer.done():
        raise Refusal(Code.NOT_ASKED, "The bot has moved, or this page was not asked to think for it.")
    try:
        play_text(turn.state, command.move)
    except Refusal:
        withdraw_offer(room, page)
        raise
    turn.end(FoundMove(command.move, command.id))


async def _first_of(turn: PageTurn, choosing: Coroutine[None, None, str]) -> FoundMove:
    """Return the move of the server's bots, or that of a late page if it comes earlier. Raises: BotError."""
    search = asyncio.ensure_future(choosing)
    try:
        await asyncio.wait((search, turn.answer), return_when=asyncio.FIRST_COMPLETED)
        late = turn.answer.result() if turn.answer.done() else None
        return late or FoundMove(await search)
    finally:
        search.cancel()


def _ask_page(room: Room, request: BotRequest) -> PageTurn | None:
    """Ask the page that was the last to offer, if the match allows it."""
    match, searches = room.log.match, room.bot_searches
    page = next((each for each in reversed(searches.pages) if each.identity in match.people), None)
    seconds = PAGE_SECONDS if request.soft_ms is None else min(PAGE_SECONDS, request.soft_ms * SHARE_OF_TIME / 1000)
    if page is None or seconds < LEAST_SECONDS or not _may_be_asked(room, match):
        return None
    assert isinstance(request.level, int)
    page.deliver([frame_of(BotTurn(room.id, match.seq, request.level, request.seed, match.state.moves))])
    turn = searches.page_turn = PageTurn(page, match.seq, match.state, seconds)
    return turn


def _may_be_asked(room: Room, match: Match) -> bool:
    """Return whether a page may think for the bot to move: in a casual match of one person and one bot without
    spectators, at a level whose moves do not depend on time or on what only the server has."""
    created, mover = match.created, match.mover
    if created.rated or created.tournament is not None or match.departures or match.bot_accounts or mover is None:
        return False
    level = level_of_bot(mover)
    return (
        isinstance(level, int)
        and level < STRONGEST_LEVEL
        and len(match.players) == 2
        and len(match.people) == 1
        and match.people.issuperset(room.presence.identities)
    )

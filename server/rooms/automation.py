"""Automation: what happens in a match without a command, and what every stored event leads to.

A flag falls, a bot moves, a planned reply is played, ratings are settled, a rematch begins. Each waits for its turn,
and the automatic events that are due come before it. `server.rooms.player_commands` has what players ask for.
"""

import asyncio
from functools import partial

import structlog

from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.protocol import Code, Moved
from millrace.protocol.refusal import Refusal

from ..bots.requests import Urgency
from ..cluster.events import MatchChanged, PlyMade
from ..journal.entries import Entry
from ..matches.match import Match, Phase
from ..matches.offers import bot_to_answer
from ..matches.referee import Decision, decide_after_interruption, decide_due, decide_resume
from ..matches.rematch import is_rematch_agreed
from ..ratings.rating_store import rating_insertions
from ..runtime.cancellation import cancel_and_wait
from .bot_moves import Decide, answer_draw_offer, bot_request, search_move
from .bot_searches import Search
from .event_log import AddedEvents
from .planned_moves import delete_plans, find_reply
from .rematches import absent_seats, open_successor, sit_absent_out, stop_waiting
from .room import Room
from .sending import send_events
from .storing import catch_up, read_new, store

log = structlog.get_logger()

RETRY_SECONDS = 1
"""The pause after a failure, before a bot is asked again or its move is stored."""
STANDSTILL_MS = 10_000
"""Time without a spectator after which it is stored that the clocks of bots stood still; a page reload is shorter."""
ABSENCE_SECONDS = 15
"""How long to wait for the answer of an absent player to the offer of a rematch, who then sits out."""
SETTLING_ATTEMPTS = 5
"""Maximum attempts to settle the ratings after a write conflict."""


def publish(room: Room, added: AddedEvents | None) -> None:
    """Send new events to the audience, and start what they lead to."""
    if added is None:
        return
    send_events(room, added)
    start_automatic(room)
    if added.kinds == _PLY:
        # The lists of matches can wait until the ply has been sent.
        room.loop.call_soon(room.services.bus.publish, PlyMade(room.id))
    else:
        room.services.bus.publish(MatchChanged(room.id))


_PLY = frozenset((Moved,))


def start_automatic(room: Room) -> None:
    """Start what happens without a command, if this node owns the match: the timer, a bot's or planned move, the answer
    to a draw offer, the rating, a rematch."""
    match, is_owned = room.log.match, room.is_owned
    _update_bots(room, match, is_owned)
    if is_owned and match.clock is not None and match.clock.settings.renews:
        look_for_planned_move(room)
    set_timer(room, match, is_owned)
    if not is_owned:
        stop_waiting(room)
        return
    if match.offers.made and bot_to_answer(match) is not None:
        room.tasks.begin(_answer_draw_offer, room)
    if match.phase is Phase.OVER and match.is_rating_due:
        room.tasks.begin(_settle_rating, room)
    if match.rematch_offers:
        update_rematch(room)


async def apply(room: Room, decide: Decide) -> None:
    """Decide something about the match as it stands, store it and send it to the audience. Raises: Refusal."""
    async with room.turn:
        await bring_up_to_date(room)
        now_ms = room.services.now_ms()
        await store_decision(room, decide(room.log.match, now_ms), now_ms)


async def store_due(room: Room) -> None:
    """Store the automatic events that are due, and the end of an interruption. Raises: Refusal."""
    async with room.turn:
        await bring_up_to_date(room)


async def bring_up_to_date(room: Room) -> None:
    """Read what a failure has left open, and store the automatic events that are due. The caller must have the turn.

    Raises: Refusal.
    """
    if room.is_interrupted:
        raise interrupted()
    publish(room, await catch_up(room))
    now_ms = room.services.now_ms()
    if room.interrupted_ms is not None:
        # The clocks of bots whom nobody watches stand still for longer.
        if not room.bot_searches.are_suspended:
            decision = Decision(decide_after_interruption(room.log.match, room.interrupted_ms, now_ms))
            await store_decision(room, decision, now_ms)
        if room.is_interrupted:
            # Again, while this was being stored.
            room.interrupted_ms = now_ms
        else:
            room.interrupted_ms = None
            room.timer.is_held = False
            start_automatic(room)
    if room.timer.is_due(now_ms):
        match = room.log.match
        due = decide_due(match, now_ms, room.lag.compensation_ms(match.to_move))
        await store_decision(room, Decision(due), now_ms)


async def store_decision(room: Room, decision: Decision, now_ms: int) -> None:
    """Store a decision's events; after a conflict, read what was stored instead. Raises: Refusal."""
    if decision.events:
        entries = [Entry(event, now_ms) for event in decision.events]
        if decision.page_command is not None:
            entries[0] = entries[0]._replace(seat=room.log.match.state.seat, command_id=decision.page_command)
        added = await store(room, entries, decision.played)
        publish(room, added if added is not None else await read_new(room))


def interrupted() -> Refusal:
    """Return the refusal of what cannot be stored during an interruption."""
    return Refusal(
        Code.UNAVAILABLE, "The server cannot store moves right now. The clocks are stopped; please try again later."
    )


async def resume_bots(room: Room) -> None:
    """Go on with a match of bots that stood still, clocks too, while nobody watched. Raises: Refusal."""
    async with room.turn:
        now_ms, since_ms = room.services.now_ms(), room.log.match.turn_at_ms
        if room.bot_searches.are_suspended and now_ms - since_ms >= STANDSTILL_MS:
            await store_decision(room, Decision(decide_resume(room.log.match, since_ms, now_ms)), now_ms)
    start_automatic(room)


def update_rematch(room: Room) -> None:
    """Start the rematch if it is agreed; otherwise wait at most some seconds for absent players to answer."""
    match = room.log.match
    if not match.rematch_offers:
        return
    if is_rematch_agreed(match):
        room.tasks.begin(_start_rematch, room)
    elif room.rematch_timer is None and absent_seats(room):
        room.rematch_timer = room.loop.call_later(ABSENCE_SECONDS, room.tasks.begin, _sit_absent_out, room)


def set_timer(room: Room, match: Match, is_owned: bool) -> None:
    """Wait for the next automatic event, unless the match stands still; a flag falls late by the lag of its seat.

    If another node is woken for it, nothing is waited for, but it counts as due when its time has come.
    """
    timer = room.timer
    if room.bot_searches.are_suspended:
        timer.clear()
        return
    due_at_ms = timer.due_at_ms = match.due_at_ms
    timer.wake_at_ms = None
    if due_at_ms is None or not is_owned:
        return
    lag_ms = room.lag.compensation_ms(match.to_move) if room.lag.quotas else 0
    wake_at_ms = timer.wake_at_ms = due_at_ms + lag_ms
    if not timer.is_held and (timer.handle is None or wake_at_ms < timer.wakes_at_ms):
        _wait(room, wake_at_ms)


async def close(room: Room) -> None:
    """Stop what happens without a command."""
    room.bot_searches.are_closed = True
    room.timer.close()
    stop_waiting(room)
    searches = [search.task for search in room.bot_searches.under_way]
    await asyncio.gather(cancel_and_wait(searches), room.tasks.close())


def _wait(room: Room, wake_at_ms: int) -> None:
    room.timer.close()
    room.timer.wakes_at_ms = wake_at_ms
    seconds = max(0, wake_at_ms - room.services.now_ms()) / 1000
    room.timer.handle = room.loop.call_later(seconds, _wake, room)


def _wake(room: Room) -> None:
    timer = room.timer
    timer.handle = None
    if timer.wake_at_ms is None:
        return
    if room.services.now_ms() < timer.wake_at_ms:
        _wait(room, timer.wake_at_ms)
    else:
        room.tasks.begin(_store_due_and_wait, room)


async def _store_due_and_wait(room: Room) -> None:
    await store_due(room)
    set_timer(room, room.log.match, room.is_owned)


def _update_bots(room: Room, match: Match, are_asked_here: bool) -> None:
    """Stop searches that are out of date, and ask the bot whose turn it is, unless that has been done.

    In a match between bots none is asked while nobody watches.
    """
    searches, mover = room.bot_searches, match.mover
    if searches.move is not None or searches.pondering is not None:
        searches.stop_outdated(match, are_asked_here=are_asked_here)
    if mover is None or not are_asked_here or searches.are_closed:
        searches.are_suspended = False
    elif mover.level is None:
        if searches.pondering is None and len(match.players) == 2:
            opponent = match.players[1 - match.state.seat]
            if opponent is not None and opponent.level == STRONGEST_LEVEL:
                _ponder(room, match)
    elif searches.move is None:
        searches.are_suspended = match.needs_spectators and not room.presence.identities
        if not searches.are_suspended:
            search = searches.move = Search(match)
            search.begin(_play_bot_move(room, search), partial(_bot_moved, room))


async def _play_bot_move(room: Room, search: Search) -> None:
    decide_move = await search_move(room, search)
    # The bot need not search again if its move cannot be stored.
    while True:
        try:
            await apply(room, decide_move)
            return
        except Refusal as refusal:
            if refusal.code is not Code.UNAVAILABLE:
                raise
        await asyncio.sleep(RETRY_SECONDS)


def _bot_moved(room: Room, task: asyncio.Task[None]) -> None:
    room.bot_searches.move = None
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("bot move failed", match=room.id, exc_info=error)
        room.loop.call_later(RETRY_SECONDS, _ask_again, room)
        return
    _ask_again(room)
    if room.bot_searches.are_suspended:
        room.timer.clear()


def _ask_again(room: Room) -> None:
    _update_bots(room, room.log.match, room.is_owned)


def _ponder(room: Room, match: Match) -> None:
    """Have the strongest bot think during its opponent's turn."""
    request = bot_request(match, 1 - match.state.seat, STRONGEST_LEVEL, Urgency.PONDERING)
    search = room.bot_searches.pondering = Search(match)
    search.begin(room.services.bots.ponder(request), partial(_pondering_ended, room))


def _pondering_ended(room: Room, task: asyncio.Task[None]) -> None:
    pondered, room.bot_searches.pondering = room.bot_searches.pondering, None
    if not task.cancelled() and task.exception() is not None:
        log.warning("bot pondering failed", match=room.id, error=repr(task.exception()))
    if pondered is not None and not pondered.is_current(room.log.match):
        _ask_again(room)


def look_for_planned_move(room: Room) -> None:
    """Play a planned reply that is due, and delete the plans of a match that is over, unless that has been done."""
    match = room.log.match
    if room.planned_at_seq == match.seq:
        return
    if match.phase is Phase.OVER and room.planned_at_seq is not None:
        room.tasks.begin(delete_plans, room)
    elif match.mover is not None and match.mover.level is None:
        room.tasks.begin(_play_planned_move, room)
    room.planned_at_seq = match.seq


async def _play_planned_move(room: Room) -> None:
    decide_reply = await find_reply(room)
    if decide_reply is not None:
        await apply(room, decide_reply)


async def _answer_draw_offer(room: Room) -> None:
    decide_answer = await answer_draw_offer(room)
    if decide_answer is not None:
        await apply(room, decide_answer)


async def _sit_absent_out(room: Room) -> None:
    room.rematch_timer = None
    await apply(room, sit_absent_out(room))
    update_rematch(room)


async def _start_rematch(room: Room) -> None:
    await apply(room, await open_successor(room))


async def _settle_rating(room: Room) -> None:
    """Store what the match does to the ratings, together with its `Rated` event. Raises: Refusal, StorageError."""
    ratings, now_ms = room.services.ratings, room.services.now_ms
    async with room.turn:
        publish(room, await catch_up(room))
        for _ in range(SETTLING_ATTEMPTS):
            if not room.log.match.is_rating_due:
                return
            async with ratings.settling(room.log.match) as settlement:
                at_ms, updates = now_ms(), settlement.updates
                insertions = () if updates is None else rating_insertions(room.id, at_ms, updates)
                added = await store(room, [Entry(settlement.rated, at_ms)], insertions=insertions)
                settlement.is_stored = added is not None
            publish(room, added if added is not None else await read_new(room))
    raise Refusal(Code.UNAVAILABLE, "The ratings of these players are changing too fast. Please try again.")

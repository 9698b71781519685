"""Feeds against a server that loses what a test wants lost, and the view that they fold."""

import asyncio

import pytest

from millrace.client import HungUpError, RefusedError
from millrace.client.match_view import Departure, MatchView, Pile, list_moves
from millrace.protocol import (
    AudienceUpdate,
    Board,
    Cell,
    Change,
    Code,
    Ended,
    Event,
    IdentityId,
    Left,
    MatchEvent,
    MatchId,
    Moved,
    Player,
    RematchStarted,
    Resumed,
    Seated,
    SeatFreed,
    StandInChosen,
    Started,
    StoodIn,
    View,
    Watch,
)
from tests.client.connecting import connected, first_where, refusal_of, watched_match
from tests.client.fake_server import BOARD, NEXT_MATCH, FakeServer


async def test_a_feed_starts_with_all_earlier_events() -> None:
    async with watched_match() as (_, connection, match, feed):
        assert await feed.ready() == BOARD
        await connection.resign(match, 1)
        assert [match_event.seq async for match_event in feed] == [1, 2, 3, 4, 5]
        assert feed.my_seats == (0, 1)
        assert feed.view.result == Ended((1, 2), "resignation", "Given up.", 1)


async def test_a_feed_may_begin_after_an_event() -> None:
    async with watched_match(since=3) as (_, connection, match, feed):
        await connection.resign(match, 1)
        assert [match_event.seq async for match_event in feed] == [4, 5]


async def test_a_seat_that_a_bot_took_over_is_no_longer_the_players() -> None:
    async with watched_match() as (server, connection, match, feed):
        await feed.ready()
        await server.append(match, SeatFreed(0, connection.player), 0)
        await server.append(match, Seated(0, Player(IdentityId("bot"), "Bot", 3)), 0)
        await connection.resign(match, 1)
        _ = [match_event async for match_event in feed]
        assert feed.my_seats == (1,)


async def test_events_come_without_gap_or_repeat_however_often_the_connection_breaks() -> None:
    async with watched_match() as (server, _, match, feed):
        seen = []
        async for match_event in feed:
            seen.append(match_event.seq)
            if match_event.seq in range(4, 40):
                await server.append(match, Moved(match_event.seq % 2, "a1", None), 1 - match_event.seq % 2)
                server.drop()
                await server.append(match, Started(), 0)
            if match_event.seq == 40:
                await server.append(match, Ended(None, "aborted", "Called off."), None)
        assert seen == list(range(1, len(server.matches[match]) + 1))


async def test_a_slow_reader_loses_nothing_and_delays_nobody() -> None:
    async with watched_match(capacity=3) as (server, connection, match, feed):
        await feed.ready()
        for ply in range(30):
            await connection.play(match, ply % 2, "a1")
        await connection.resign(match, 0)
        assert [match_event.seq async for match_event in feed] == list(range(1, 36))
        assert max(message.since for message in server.heard if isinstance(message, Watch)) > 0


async def test_a_slow_reader_loses_nothing_when_the_connection_breaks() -> None:
    async with watched_match(capacity=3) as (server, connection, match, feed):
        await feed.ready()
        server.drop()
        await connection.resign(match, 0)
        assert [match_event.seq async for match_event in feed] == [1, 2, 3, 4, 5]


async def test_each_turn_is_offered_once_and_played() -> None:
    async with watched_match() as (_, connection, match, feed):
        played = []
        async for turn in feed.turns():
            played.append((turn.seq, turn.seat))
            assert turn.moves == ("a1 b1", "b1")
            if turn.seq == 8:
                await connection.resign(match, turn.seat)
            else:
                await turn.play(turn.moves[0])
        assert played == [(4, 0), (5, 1), (6, 0), (7, 1), (8, 0)]
        assert feed.view.moves == ("a1 b1",) * 4


async def test_a_turn_that_was_not_played_is_not_offered_again_on_a_new_connection() -> None:
    async with watched_match() as (server, connection, match, feed):
        turns = feed.turns()
        first = await anext(turns)
        server.drop()
        await connection.play(match, 0, "a1")
        second = await anext(turns)
        assert (first.seq, second.seq) == (4, 5)


async def test_a_refused_move_leaves_the_turn() -> None:
    async with watched_match() as (*_, feed):
        turn = await feed.my_turn()
        assert turn is not None
        with pytest.raises(RefusedError):
            await turn.play("illegal")
        assert await feed.my_turn() == turn


async def test_nothing_is_offered_when_the_match_is_over() -> None:
    async with watched_match() as (_, connection, match, feed):
        await connection.resign(match, 0)
        assert await feed.my_turn() is None
        assert (await feed.result()).ranks == (2, 1)
        assert feed.turn is None


async def test_a_feed_continues_to_the_rematch() -> None:
    async with watched_match() as (_, connection, match, feed):
        await connection.resign(match, 0)
        await feed.result()
        await connection.rematch(match, 1)
        await first_where(
            feed.updates(), lambda update: isinstance(update, MatchEvent) and isinstance(update.event, RematchStarted)
        )
        assert feed.view.rematch == NEXT_MATCH


async def test_the_watch_of_an_unknown_match_is_refused() -> None:
    async with FakeServer() as server, connected(server) as connection:
        assert await refusal_of(connection.watch(MatchId("none")).ready()) is Code.UNKNOWN_MATCH
        await connection.ping()


async def test_a_closed_feed_raises_when_read() -> None:
    async with FakeServer() as server, connected(server) as connection:
        async with connection.watch(await server.start_match()) as feed:
            await feed.ready()
        with pytest.raises(HungUpError):
            async for _ in feed:
                pass


async def test_a_second_feed_of_a_match_closes_the_first_and_misses_nothing() -> None:
    async with FakeServer() as server, connected(server) as connection:
        match = await server.start_match()
        first = connection.watch(match, since=2)
        second = connection.watch(match)
        await connection.resign(match, 0)
        assert [match_event.seq async for match_event in second] == [1, 2, 3, 4, 5]
        with pytest.raises(HungUpError):
            await first.result()


async def test_only_the_latest_audience_waits_for_a_reader() -> None:
    async with watched_match() as (_, connection, match, feed):
        await connection.ping()
        for spectators in range(100):
            feed.receive(AudienceUpdate(match, spectators, (True, True)))
        await connection.resign(match, 0)
        updates = []
        async for update in feed.updates():
            updates.append(update)
            if isinstance(update, MatchEvent) and isinstance(update.event, Ended):
                break
        assert [update.spectators for update in updates if isinstance(update, AudienceUpdate)] == [99]
        assert feed.audience is not None


async def test_a_reader_that_stops_waiting_loses_nothing() -> None:
    async with watched_match(since=4) as (_, connection, match, feed):
        reading = asyncio.create_task(feed.result())
        await connection.ping()
        reading.cancel()
        await connection.resign(match, 0)
        assert [match_event.seq async for match_event in feed] == [5]


def match_event(event: Event, *changes: Change) -> MatchEvent:
    return MatchEvent(MatchId("m"), 7, 9_000, event, 1, View(changes, (1, 2)) if changes else None)


def test_a_view_knows_the_pieces_on_every_cell() -> None:
    view = MatchView(piles={"a1": Pile(0, 1), "b1": Pile(1, 1)})
    view = view.after(
        match_event(Moved(0, "a1-c1xb1", None), Change("a1", -1, 0), Change("b1", -1, 0), Change("c1", 0, 1))
    )
    assert view.piles == {"c1": Pile(0, 1)}
    assert view.reserves == (1, 2)
    assert (view.seq, view.at_ms, view.to_move) == (7, 9_000, 1)


def test_a_view_keeps_the_latest_clocks() -> None:
    view = MatchView().after(match_event(Moved(0, "a1", (5, 6)))).after(match_event(Resumed((5, 5), 1_000)))
    assert (view.moves, view.clocks_ms) == (("a1",), (5, 5))


def test_a_view_knows_who_has_left_and_who_stands_in() -> None:
    view = MatchView()
    for event in (Left(2, "time"), Left(0, "resignation"), StandInChosen(1, 2, "skip"), StoodIn(2, "skip", None)):
        view = view.after(match_event(event))
    assert view.departures == (Departure(2, "time", {1: "skip"}, "skip"), Departure(0, "resignation"))


def test_a_view_is_cleared_when_another_board_is_drawn() -> None:
    board = Board("hexes", (Cell("a1", 0.0, 0.0),), ())
    laying = MatchEvent(MatchId("m"), 8, 0, Moved(0, "a1-b3", None), 1, View((), (0, 0), ground=(0, 1)))
    laid = MatchEvent(MatchId("m"), 9, 0, Moved(1, "c1-d3", None), 0, View((), (16, 16), board=board))
    view = MatchView(piles={"z9": Pile(0, 1)}).after(laying)
    assert (view.ground, view.board) == ((0, 1), None)
    view = view.after(laid)
    assert (view.ground, view.board, view.piles) == (None, board, {})


def test_a_tree_without_moves_lists_none() -> None:
    assert list_moves({}) == ()

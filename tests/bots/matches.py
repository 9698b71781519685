"""Challenging a bot and playing against it, for tests."""

import random
from collections.abc import Awaitable, Callable
from typing import Any

from millrace.client import Connection, MatchFeed

PATIENCE_S = 120

MakeBot = Callable[[], Awaitable[tuple[str, str]]]
"""Creates a bot account and returns its name and an API token."""


async def challenge(me: Connection, name: str, game: str = "morris", **options: Any) -> MatchFeed:
    """Challenge a bot as soon as it is online, and return the feed of the match once it has begun."""
    async for online in me.lobby.online_bots():
        if any(line.player.name == name for line in online):
            break
    feed = me.watch((await me.challenge(name, game, shuffle=False, **options)).match)
    await until(feed, lambda: feed.view.to_move is not None)
    return feed


async def until(feed: MatchFeed, holds: Callable[[], bool]) -> None:
    """Read the feed until something holds."""
    updates = feed.updates()
    while not holds():
        await anext(updates)


async def play_some(feed: MatchFeed, plies: int) -> None:
    """Play random moves until the match has `plies` plies, or is over."""
    updates, played_seq = feed.updates(), 0
    while len(feed.view.moves) < plies and feed.view.result is None:
        if feed.turn is not None and feed.turn.seq > played_seq:
            played_seq = feed.turn.seq
            await feed.turn.play(random.choice(feed.turn.moves))
        else:
            await anext(updates)

"""Watching: the list of live matches page by page, and the match of each game that is worth watching most."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import GameNameField, MatchId, Message
from .values import MatchSummary

PageField = Annotated[int, msgspec.Meta(ge=0, le=9_999)]


class WatchLive(Message, frozen=True):
    """Follow a page of the list of live matches instead of another, or none any more: `LivePage`, now and whenever it
    changes."""

    on: bool = True
    game: GameNameField | None = None
    """None: of every game."""
    page: PageField = 0


class WatchFeatured(Message, frozen=True):
    """Follow which match of a game is featured, or no longer: `Featured`, now and whenever it is another."""

    game: GameNameField
    on: bool = True
    exhibition: bool = True
    """Whether bots may play each other for this reader while there is nothing else to feature."""


WatchingCommand: TypeAlias = WatchLive | WatchFeatured


class LivePage(Message, frozen=True):
    """A page of the list of live matches: those of people with a rating first, the best of them first."""

    game: str | None
    page: int
    pages: int
    """How many there are, at least one."""
    total: int
    """How many matches are on all pages together."""
    matches: tuple[MatchSummary, ...]


class Featured(Message, frozen=True):
    """Which match of a game is featured: `Watch` it. It is another some seconds after it has ended, or when a clearly
    better one is on."""

    game: str
    match: MatchId | None
    """None while there is none."""

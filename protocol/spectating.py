"""Spectating: the list of live matches in pages, and the featured match of each game."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import GameNameField, MatchId, Message
from .values import MatchSummary

PageField = Annotated[int, msgspec.Meta(ge=0, le=9_999)]


class WatchLive(Message, frozen=True):
    """Receive a page of the list of live matches instead of any other, or none: `LivePage`, now and after changes, at
    most once a second.
    """

    on: bool = True
    game: GameNameField | None = None
    """None for all games."""
    page: PageField = 0


class WatchFeatured(Message, frozen=True):
    """Receive the featured match of a game, or stop: `Featured`, now and after each change."""

    game: GameNameField
    on: bool = True
    exhibition: bool = True
    """Whether bots may play an exhibition for this viewer while there is nothing else to feature."""


WatchingCommand: TypeAlias = WatchLive | WatchFeatured


class LivePage(Message, frozen=True):
    """A page of the list of live matches: rated matches of people first, the best of them first."""

    game: str | None
    page: int
    pages: int
    """Number of pages, at least 1."""
    total: int
    """Number of matches on all pages."""
    matches: tuple[MatchSummary, ...]


class Featured(Message, frozen=True):
    """The featured match of a game; watch it with `Watch`. It changes some seconds after its end, or when a much better
    match is being played.
    """

    game: str
    match: MatchId | None
    """None while no match is featured."""

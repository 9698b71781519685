"""A game's kernels as one WebAssembly module, with a description of itself.

Making a module compiles everything again without the passes for this machine's processor, which takes about as long as
compiling the game natively. It must happen in a process that does nothing else (`engine.wasm.collecting`).
"""

from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
from numba import types

from ..game import GENERAL_REASONS, Game, Start
from ..levels.opponents import LEVELS, STRONGEST_LEVEL, Opponent
from ..search import NODES, QUIESCENCE_PLIES
from ..search.deepening_kernel import FACTS
from ..transposition_table import PROVEN, WIN
from .arrays import FIELDS
from .linker import Linked, custom_section, link
from .lowering import Entry, to_object
from .object_file import read_customs, read_object
from .session import Session, make_session
from .unpacking import unpacked_table
from .views import BLOCK

SECTION = "millrace"
"""The section with the `Description`, as JSON."""


class ArrayPlace(msgspec.Struct, frozen=True):
    """An array in the module's memory, in the order of C."""

    dtype: str
    shape: tuple[int, ...]
    address: int


class LevelTerms(msgspec.Struct, frozen=True):
    """What a level asks of `choose`; see `engine.game.skill`. 0 is no limit of depth or nodes."""

    depth: int
    nodes: int
    noise: int
    oversights: int
    quiescence: int
    captures: int
    """The bonus for captures, in hundredths of a man."""
    table_megabytes: int


class Values(msgspec.Struct, frozen=True):
    """What the value of a full search means."""

    quiescence: int
    """What the field of this name is to be for one."""
    win: int
    """A win in n plies is `win - n`, a loss `n - win`."""
    proven: int
    """Above that, and below its negative, a result is proved."""
    logistic_scale: float
    """See `engine.search.expected_score`."""
    draw_share: float
    """See `engine.game.Strength`."""


class Description(msgspec.Struct, frozen=True):
    """What a page needs to know of a module."""

    game: str
    sources: str
    """A digest of all that the module is made of."""
    end: int
    """The first address that is the page's own."""
    unpacked_at: int
    """What the field of this name is to be before `unpack` is called; 0 if there is nothing to unpack."""
    fields: tuple[str, ...]
    """The names of the entries of the array `fields`."""
    facts: tuple[str, ...]
    """The names of the entries of the array `run.facts`."""
    nodes_at: int
    """The entry of the array `tree.counters` with the nodes of the search."""
    values: Values
    reasons: tuple[str, ...]
    """The codes of the reasons that `outcome` and `adjudicate` return."""
    explanations: tuple[str, ...]
    """Each reason as text, to be translated."""
    tallies: tuple[str, ...]
    """The names of the rows of `counts` after the first, to be translated."""
    forced_pass: int
    """The move made for a seat without another one; 0 if seats are never skipped."""
    levels: tuple[LevelTerms, ...]
    """From level 1 on; the strongest is missing, since its limit is time."""
    arrays: dict[str, ArrayPlace]


def describe(module: bytes) -> Description:
    """Return the description that a module carries."""
    return msgspec.json.decode(read_customs(module)[SECTION], type=Description)


@cache
def without_tables(game: Game) -> Game:
    """Return a game without its tablebase: the page has no tables of endings."""
    return replace(game, strength=replace(game.strength, tablebase=None))


def make_module(game: Game, start: Start, sources: str) -> bytes:
    """Return the module of a game for boards of the shape of this start's.

    Raises: ObjectError if the game's kernels need what a module does not have, such as memory of their own.
    """
    session = make_session(without_tables(game), start)
    entries = {name: _compiled(function) for name, function in session.functions.items()}
    linked = link(read_object(to_object(entries, session.layout.size)), entries, unpacked_table(game))
    description = _description(game, session, sources, linked)
    return linked.content + custom_section(SECTION, msgspec.json.encode(description))


def _compiled(function: Any) -> Entry:
    parameters = function.py_func.__code__.co_argcount
    arguments = (types.int64,) * parameters
    function.compile(types.int64(*arguments))
    compiled = function.overloads[arguments]
    return Entry(compiled.fndesc.llvm_func_name, parameters, compiled.library)


def _description(game: Game, session: Session, sources: str, linked: Linked) -> Description:
    block = linked.addresses[BLOCK]
    places = {place.name: ArrayPlace(place.dtype, place.shape, block + place.at) for place in session.layout.places}
    return Description(
        game.name,
        sources,
        linked.end,
        linked.left_out_at,
        FIELDS,
        FACTS,
        NODES,
        describe_values(game),
        *describe_play(game),
        describe_levels(game),
        places,
    )


def describe_values(game: Game) -> Values:
    """Return what the values of a game's searches mean."""
    strength = game.strength
    return Values(QUIESCENCE_PLIES, WIN, PROVEN, strength.logistic_scale, strength.draw_share)


def describe_play(game: Game) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], int]:
    """Return the reasons of ends, their explanations, the names of tallies, and the forced pass."""
    start, count = game.texts.parse_setup(""), game.drawing.tallies
    reasons = {**game.rules.end_reasons, **GENERAL_REASONS}
    tallies = () if count is None else tuple(tally.name for tally in count(start.board, start.words, start.seat))
    return tuple(reasons), tuple(reasons.values()), tallies, game.rules.forced_pass


def describe_levels(game: Game) -> tuple[LevelTerms, ...]:
    """Return the terms of each level but the strongest."""
    return tuple(_terms_of(opponent, game) for level, opponent in LEVELS.items() if level < STRONGEST_LEVEL)


def _terms_of(opponent: Opponent, game: Game) -> LevelTerms:
    skill, captures = opponent.skill_in(game), opponent.style.captures
    limits = skill.depth or 0, skill.nodes or 0
    return LevelTerms(*limits, skill.noise, skill.oversights, skill.quiescence, captures, skill.table_megabytes)

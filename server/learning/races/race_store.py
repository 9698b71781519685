"""Stored races, and the players' parts in them."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Index, Integer, Text, delete, insert, select, update

from millrace.protocol import IdentityId, Player

from ...storage.database import Database, Step, Store
from ...storage.tables import define_table, required
from .race import Race, Run

KEPT_MS = 24 * 3_600_000
"""Age at which a race is deleted."""

races = define_table(
    "races",
    ["id"],
    *required(Text, "id", "game", "puzzles"),
    *required(Integer, "duration_ms"),
    *required(BigInteger, "opened_ms", "starts_ms"),
    *required(Text, "next"),
)

Index("races_opened", races.c.opened_ms)

racers = define_table(
    "racers",
    ["race", "place"],
    *required(Text, "race"),
    *required(Integer, "place"),
    *required(Text, "identity", "name"),
    *required(Integer, "number", "plies", "score", "combo"),
)
"""`name` is that of a guest."""


class _StoredRace(NamedTuple):
    id: str
    game: str
    puzzles: str
    duration_ms: int
    starts_ms: int
    next: str


class _Racer(NamedTuple):
    place: int
    identity: IdentityId
    name: str
    account_name: str | None


class _Progress(NamedTuple):
    number: int
    plies: int
    score: int
    combo: int


class RaceStore(Store):
    """The races of the last days. Every method raises StorageError."""

    def __init__(self, database: Database, name_of: Callable[[ColumnElement[str]], ColumnElement[str]]) -> None:
        """`name_of` gives the name of the account that a column names; null if there is none."""
        super().__init__(database)
        self._name_of = name_of

    async def find(self, race: str) -> Race | None:
        """Return a race, or None."""
        found = await self._database.record(
            _StoredRace, select(*(races.c[name] for name in _StoredRace._fields)).where(races.c.id == race)
        )
        if found is None:
            return None
        columns = racers.c
        progress = (columns[name] for name in _Progress._fields)
        listed = select(columns.place, columns.identity, columns.name, self._name_of(columns.identity), *progress)
        stored = await self._database.pairs(
            _Racer, _Progress, listed.where(columns.race == race).order_by(columns.place)
        )
        runs = {racer.place: Run(_player(racer), *progress) for racer, progress in stored}
        return Race(
            found.id, found.game, tuple(found.puzzles.split()), found.duration_ms, found.starts_ms, found.next, runs
        )

    async def open(self, race: Race, now_ms: int, *further: Step) -> bool:
        """Store a new race, and further steps, and delete those that are too old.

        Returns False, with nothing stored, if a step fails.
        """
        is_old = races.c.opened_ms < now_ms - KEPT_MS
        row = {"puzzles": " ".join(race.puzzles), "opened_ms": now_ms}
        values = {name: getattr(race, name) for name in _StoredRace._fields} | row
        steps = (
            Step(delete(racers).where(racers.c.race.in_(select(races.c.id).where(is_old)))),
            Step(delete(races).where(is_old)),
            Step(insert(races).values(values)),
        )
        return await self._database.transact([*steps, *changing_steps(race._replace(runs={}), race), *further])

    async def put(self, before: Race, after: Race, *further: Step) -> bool:
        """Store a race, and further steps, in one transaction.

        Returns False, with nothing stored, if it has changed since it was read, or if a step fails.
        """
        return await self._database.transact([*changing_steps(before, after), *further])


def changing_steps(before: Race, after: Race) -> Iterator[Step]:
    """Yield the steps that store a changed race; they fail if what has changed is not as it was."""
    columns = racers.c
    if before[:-1] != after[:-1] or before.runs.keys() != after.runs.keys():
        is_same = (races.c.id == before.id, races.c.starts_ms == before.starts_ms, races.c.next == before.next)
        changing = update(races).where(*is_same).values(starts_ms=after.starts_ms, next=after.next)
        yield Step(changing, must_change=True)
    for place in before.runs.keys() - after.runs.keys():
        is_left = (columns.race == after.id, columns.identity == before.runs[place].player.id)
        yield Step(delete(racers).where(*is_left), must_change=True)
    for place, run in after.runs.items():
        player, *progress = run
        values = dict(zip(_Progress._fields, progress, strict=True))
        known = before.runs.get(place)
        if known is None:
            name = "" if player.registered else player.name
            adding = insert(racers).values(race=after.id, place=place, identity=player.id, name=name, **values)
            yield Step(adding)
        elif known != run:
            is_it = (columns.race == after.id, columns.place == place)
            is_there = (columns.number == known.number, columns.plies == known.plies)
            yield Step(update(racers).where(*is_it, *is_there).values(values), must_change=True)


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's parts in races."""
    return [Step(delete(racers).where(racers.c.identity == identity))]


def _player(racer: _Racer) -> Player:
    name = racer.account_name
    return Player(racer.identity, racer.name if name is None else name, registered=name is not None)

"""The SQL of order, built once from the tables and compiled for each database.

Runs nothing.
"""

from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Dialect,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.sql.base import Executable

from ..protocol import ModerationAction
from .statements import EMPTY, ONE, ZERO, compile_text
from .tables import (
    accounts,
    chat_lines,
    events,
    match_players,
    matches,
    measures,
    moderation_log,
    people,
    rating_history,
    ratings,
    reports,
)

_NONE: ColumnElement[str] = literal_column("'none'")


class ModerationStatements(NamedTuple):
    """The SQL texts for one database; each says which values it takes, in order."""

    roles: str
    """`()`; gives `(id, role)`."""
    nameless: str
    """`()`; gives `(id,)` of accounts that have the name that was put in place of one that was removed."""
    measures: str
    """`()`; gives rows of `measures`."""
    measures_of: str
    """`(identity,)`; gives rows of `measures`."""
    find_account: str
    """`(id,)`; gives `(name, is_bot, role)`."""
    find_reported: str
    """`(player,)`; gives `(name,)` of the latest report about somebody."""
    find_talker: str
    """`(identity,)`; gives `(name,)` of the latest line of somebody."""
    insert_entry: str
    """A row of `moderation_log` but for its number."""
    was_recorded: str
    """`(by, command_id)`; gives a row if there is such an entry."""
    latest_number: str
    """`()`; gives `(number,)`."""
    entries_after: str
    """`(number,)`; gives rows of `moderation_log`, in order."""
    log: str
    """`(before, name, length, beginning, length, beginning, deed, deed, player, player, most)`, each empty for all;
    gives rows of `moderation_log`, the latest first."""
    lines_between: str
    """`(match, first, last)`; gives rows of `chat_lines`, in order."""
    give_role: str
    """`(role, id, former role or empty)`."""
    impose: str
    """A row of `measures`."""
    lift: str
    """`(identity, kind)`."""
    lift_all: str
    """`(identity,)`."""
    rename: str
    """`(name, skeleton, id, former skeleton)`."""
    reserve: str
    """`(id, skeleton, created_ms, deleted_ms)`."""
    rename_lines: str
    """`(name, identity)`."""
    clear_bio: str
    """`(identity,)`."""
    remove_line: str
    """`(match, number)`."""
    add_event: str
    """A row of `events`."""
    restore: str
    """`(mu, sigma, matches, identity, game, seats, speed, former mu, former matches)`."""
    shift_history: str
    """`(mu, mu, identity, game, seats, speed, at_ms)`: what to add to `mu` after a moment."""
    forget_changes: str
    """`(match,)`."""
    void_match: str
    """`(match,)`: for the archive it has no result."""
    void_seats: str
    """`(match,)`: nor has anybody in it."""
    settle: str
    """`(outcome, reporter, command_id, by)`: by the latest entry, unless the report is about who settles it."""


def compile_moderation_statements(dialect: Dialect) -> ModerationStatements:
    """Return the statements in the words and with the placeholders of a dialect."""
    built = _of_people() | _of_log() | _of_deeds() | _of_matches()
    return ModerationStatements(**{name: compile_text(dialect, *each) for name, each in built.items()})


_Built: TypeAlias = dict[str, tuple[Executable, *tuple[str, ...]]]


def _typed(column: Column[Any], name: str = "") -> BindParameter[Any]:
    return bindparam(name or column.name, type_=column.type)


def _of_people() -> _Built:
    account = select(accounts.c.name, accounts.c.is_bot, accounts.c.role)
    reported = select(reports.c.player_name).where(reports.c.player == bindparam("player"))
    talker = select(chat_lines.c.name).where(chat_lines.c.identity == bindparam("identity"))
    is_identity = measures.c.identity == bindparam("identity")
    is_neutral = and_(
        moderation_log.c.player == accounts.c.id,
        moderation_log.c.detail == accounts.c.name,
        moderation_log.c.deed == literal_column(f"'{ModerationAction.REMOVE_NAME}'"),
    )
    return {
        "roles": (select(accounts.c.id, accounts.c.role).where(accounts.c.role.is_not(None)),),
        "nameless": (select(accounts.c.id).join_from(accounts, moderation_log, is_neutral).distinct(),),
        "measures": (select(*measures.c),),
        "measures_of": (select(*measures.c).where(is_identity), "identity"),
        "find_account": (
            account.where(accounts.c.id == bindparam("identity"), accounts.c.deleted_ms.is_(None)),
            "identity",
        ),
        "find_reported": (
            reported.where(reports.c.player_name != EMPTY).order_by(reports.c.at_ms.desc()).limit(ONE).offset(ZERO),
            "player",
        ),
        "find_talker": (talker.order_by(chat_lines.c.at_ms.desc()).limit(ONE).offset(ZERO), "identity"),
        "lift_all": (delete(measures).where(is_identity), "identity"),
    }


def _of_log() -> _Built:
    log = moderation_log.c
    values = [column for column in log if column.name != "number"]
    next_number = func.coalesce(func.max(log.number), ZERO) + ONE
    entry = select(next_number, *(_typed(column) for column in values)).select_from(moderation_log)
    is_command = and_(log.by == bindparam("by"), log.command_id == bindparam("command_id"))
    after = select(*log).where(log.number > bindparam("number")).order_by(log.number)
    begins = or_(
        _typed(log.by_name, "name") == EMPTY,
        func.substr(func.lower(log.by_name), ONE, _typed(log.line, "length")) == bindparam("beginning"),
        func.substr(func.lower(log.player_name), ONE, _typed(log.line, "players_length"))
        == bindparam("players_beginning"),
    )
    is_deed = or_(_typed(log.deed, "any_deed") == EMPTY, log.deed == bindparam("deed"))
    is_player = or_(_typed(log.player, "any_player") == EMPTY, log.player == bindparam("player"))
    wanted = select(*log).where(log.number < bindparam("before"), begins, is_deed, is_player)
    names = ("name", "length", "beginning", "players_length", "players_beginning")
    return {
        "insert_entry": (
            insert(moderation_log).from_select(["number", *(column.name for column in values)], entry),
            *(column.name for column in values),
        ),
        "was_recorded": (select(log.number).where(is_command), "by", "command_id"),
        "latest_number": (select(func.coalesce(func.max(log.number), ZERO)),),
        "entries_after": (after, "number"),
        "log": (
            wanted.order_by(log.number.desc()).limit(bindparam("most")).offset(ZERO),
            *("before", *names, "any_deed", "deed", "any_player", "player", "most"),
        ),
    }


def _of_deeds() -> _Built:
    of_account = update(accounts).where(accounts.c.id == bindparam("identity"))
    had_role = func.coalesce(accounts.c.role, EMPTY) == bindparam("former")
    is_line = and_(chat_lines.c.match == bindparam("of_match"), chat_lines.c.number == bindparam("line"))
    is_measure = and_(measures.c.identity == bindparam("identity"), measures.c.kind == bindparam("kind"))
    columns = ("id", "skeleton", "created_ms", "deleted_ms")
    reserved: dict[str, BindParameter[Any]] = {name: bindparam(name) for name in columns}
    reserve = insert(accounts).values({**reserved, "name": EMPTY, "password_hash": EMPTY})
    number = select(func.max(moderation_log.c.number)).scalar_subquery()
    settle = (
        update(reports)
        .where(
            reports.c.reporter == bindparam("who"),
            reports.c.command_id == bindparam("command"),
            reports.c.player != bindparam("settler"),
            reports.c.outcome.is_(None),
        )
        .values(outcome=bindparam("result"), settled_by=number)
    )
    between = select(*chat_lines.c).where(
        chat_lines.c.match == bindparam("of_match"),
        chat_lines.c.number >= bindparam("first"),
        chat_lines.c.number <= bindparam("last"),
    )
    return {
        "give_role": (of_account.where(had_role).values(role=bindparam("given")), "given", "identity", "former"),
        "impose": (insert(measures).values({c.name: _typed(c) for c in measures.c}), *measures.c.keys()),
        "lift": (delete(measures).where(is_measure), "identity", "kind"),
        "rename": (
            of_account.where(accounts.c.skeleton == bindparam("former")).values(
                name=bindparam("new_name"), skeleton=bindparam("new_skeleton")
            ),
            *("new_name", "new_skeleton", "identity", "former"),
        ),
        "reserve": (reserve, *columns),
        "rename_lines": (
            update(chat_lines).where(chat_lines.c.identity == bindparam("who")).values(name=bindparam("new_name")),
            *("new_name", "who"),
        ),
        "clear_bio": (
            update(people).where(people.c.identity == bindparam("who"), people.c.bio.is_not(None)).values(bio=null()),
            "who",
        ),
        "remove_line": (
            update(chat_lines).where(is_line, chat_lines.c.text != EMPTY).values(text=EMPTY),
            *("of_match", "line"),
        ),
        "lines_between": (between.order_by(chat_lines.c.number), "of_match", "first", "last"),
        "settle": (settle, "result", "who", "command", "settler"),
    }


def _of_matches() -> _Built:
    kind = ("game", "seats", "speed")
    is_kind = and_(*(ratings.c[name] == bindparam(f"of_{name}") for name in kind))
    was_of_kind = and_(*(rating_history.c[name] == bindparam(f"of_{name}") for name in kind))
    names = ("who", "of_game", "of_seats", "of_speed")
    restore = (
        update(ratings)
        .where(
            ratings.c.identity == bindparam("who"),
            is_kind,
            ratings.c.mu == bindparam("former_mu"),
            ratings.c.matches == bindparam("former_matches"),
        )
        .values(mu=bindparam("new_mu"), sigma=bindparam("new_sigma"), matches=bindparam("new_matches"))
    )
    history = rating_history.c
    shifted: dict[str, ColumnElement[Any]] = {
        "mu_before": history.mu_before + _typed(history.mu_before, "shift_before"),
        "mu_after": history.mu_after + _typed(history.mu_after, "shift_after"),
    }
    shift = (
        update(rating_history)
        .where(history.identity == bindparam("who"), was_of_kind, history.at_ms > bindparam("since_ms"))
        .values(shifted)
    )
    return {
        "add_event": (insert(events).values({c.name: _typed(c) for c in events.c}), *events.c.keys()),
        "restore": (restore, "new_mu", "new_sigma", "new_matches", *names, "former_mu", "former_matches"),
        "shift_history": (shift, "shift_before", "shift_after", *names, "since_ms"),
        "void_match": (update(matches).where(matches.c.id == bindparam("of_match")).values(result=_NONE), "of_match"),
        "void_seats": (
            update(match_players)
            .where(match_players.c.match == bindparam("of_match"), match_players.c.result.is_not(None))
            .values(result=_NONE, rank=null()),
            "of_match",
        ),
        "forget_changes": (delete(rating_history).where(history.match == bindparam("of_match")), "of_match"),
    }

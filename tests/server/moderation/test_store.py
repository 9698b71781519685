"""The contract of stored moderation, on every supported database."""

import asyncio

import pytest

from millrace.protocol import (
    ChatLine,
    CommandId,
    IdentityId,
    MatchId,
    ModerationAction,
    NamedPlayer,
    Notification,
    NotificationKind,
    Player,
    Role,
)
from millrace.server.app.stores import Stores
from millrace.server.callers.names import skeleton_of
from millrace.server.callers.presence import Credential
from millrace.server.callers.restriction_store import (
    Restriction,
    RestrictionKind,
    StoredRestriction,
    imposing_steps,
    lifting_step,
)
from millrace.server.chat.chat_store import line_removing_step
from millrace.server.moderation.moderation_store import ActionRecord, LogFilter
from millrace.server.moderation.report_store import ReportTally, StoredReport
from millrace.server.players.accounts.account_store import Account, role_step
from millrace.server.players.accounts.stored_tokens import StoredToken, TokenKind

ANN, BEN, CAT = (Player(IdentityId(name.lower()), name, registered=True) for name in ("Ann", "Ben", "Cat"))
GUEST = Player(IdentityId("guest"), "Quiet Otter")
MATCH = MatchId("m1")


def record(
    action: ModerationAction, player: Player | None = BEN, command: str = "c1", by: Player | None = ANN
) -> ActionRecord:
    named = (None, None) if player is None else (player.id, player.name)
    identity, name = ("", "console") if by is None else (by.id, by.name)
    return ActionRecord(1_000, identity, name, CommandId(command), action, "for a reason", *named)


def report(reporter: Player = CAT, command: str = "r1", about: Player = BEN, at_ms: int = 5) -> StoredReport:
    names = (reporter.name, about.name)
    return StoredReport(
        reporter.id, CommandId(command), MATCH, about.id, 2, "you fool", "insult", "rude", at_ms, *names
    )


@pytest.fixture
async def peopled(stores: Stores) -> Stores:
    """Stores with the accounts of Ann, Ben and Cat."""
    for player in (ANN, BEN, CAT):
        assert await stores.accounts.create(Account(player.id, player.name, "hash", 1), skeleton_of(player.name), 0)
    return stores


async def test_a_role_is_stored_with_its_log_entry_and_replaces_only_the_expected_one(peopled: Stores) -> None:
    store = peopled.moderation
    assert await store.record(record(ModerationAction.MAKE_ADMIN), [role_step(BEN.id, None, Role.ADMIN)])
    assert not await store.record(
        record(ModerationAction.MAKE_MODERATOR, command="c2"), [role_step(BEN.id, None, Role.MODERATOR)]
    )
    assert list(await peopled.accounts.roles()) == [(BEN.id, Role.ADMIN)]
    assert [entry.number for entry in await store.entries_after(0)] == [1]
    assert await store.record(record(ModerationAction.REMOVE_ROLE, command="c3"), [role_step(BEN.id, Role.ADMIN, None)])
    assert list(await peopled.accounts.roles()) == []


async def test_restrictions_are_added_and_removed(peopled: Stores) -> None:
    store = peopled.moderation
    for number, until_ms in enumerate((9_000, None)):
        mute = imposing_steps(BEN.id, RestrictionKind.MUTE, Restriction("rude", until_ms))
        assert await store.record(record(ModerationAction.MUTE, command=f"m{number}"), mute)
    assert list(await peopled.restrictions.all()) == [StoredRestriction(BEN.id, RestrictionKind.MUTE, "rude", None)]
    target = await store.find(BEN.id)
    assert target is not None
    assert (target.player, target.restrictions) == (BEN, {RestrictionKind.MUTE: Restriction("rude")})
    assert await store.record(
        record(ModerationAction.UNMUTE, command="u1"), [lifting_step(BEN.id, RestrictionKind.MUTE)]
    )
    assert not await store.record(
        record(ModerationAction.UNMUTE, command="u2"), [lifting_step(BEN.id, RestrictionKind.MUTE)]
    )


async def test_an_account_is_banned_once_and_its_tokens_are_invalid_until_the_ban_is_lifted(peopled: Stores) -> None:
    secret = Credential("secret")
    await peopled.accounts.add_token(StoredToken(secret, "id", BEN.id, TokenKind.API, 1))
    await peopled.accounts.add_token(StoredToken(Credential("ticket"), "id", BEN.id, TokenKind.TICKET, 1))
    ban = imposing_steps(BEN.id, RestrictionKind.BAN, Restriction("cheating"))
    assert await peopled.moderation.record(record(ModerationAction.BAN), ban)
    assert not await peopled.moderation.record(record(ModerationAction.BAN, command="c2"), ban)
    assert await peopled.accounts.find_by_token(secret, 2) is None
    assert await peopled.accounts.owners_of([secret], 2) == {}
    assert await peopled.accounts.redeem(Credential("ticket"), 2) is None
    lift = [lifting_step(BEN.id, RestrictionKind.BAN)]
    assert await peopled.moderation.record(record(ModerationAction.UNBAN, command="c3"), lift)
    assert await peopled.accounts.find_by_token(secret, 2) is not None
    assert await peopled.accounts.owners_of([secret], 2) == {secret: BEN}
    assert await peopled.accounts.redeem(Credential("ticket"), 2) == BEN.id


async def test_a_removed_name_is_reserved_and_shown_nowhere(peopled: Stores) -> None:
    line = ChatLine(1, "players", BEN, "hello", 1)
    assert await peopled.chat.add_line(MATCH, line, CommandId("say"))
    renamed = Player(BEN.id, "Player123456", registered=True)
    rename = await peopled.moderation.rename_steps(renamed, skeleton_of(BEN.name), 1_000, IdentityId("removed-1"))
    assert await peopled.moderation.record(record(ModerationAction.REMOVE_NAME), rename)
    account = await peopled.accounts.find(BEN.id)
    assert account is not None
    assert account.player == renamed
    assert await peopled.accounts.find_named(skeleton_of("Ben")) is None
    taken = Account(IdentityId("other"), "Ben", "hash", 1)
    assert not await peopled.accounts.create(taken, skeleton_of("Ben"), 4_000_000_000_000)
    assert (await peopled.chat.lines(MATCH, 9))[0].player == renamed
    assert not await peopled.moderation.record(record(ModerationAction.REMOVE_NAME, command="c2"), rename)


async def test_a_line_loses_its_text_once(peopled: Stores) -> None:
    for number in range(1, 6):
        line = ChatLine(number, "players", BEN, f"line {number}", number)
        assert await peopled.chat.add_line(MATCH, line, CommandId(f"say-{number}"))
    assert [line.number for line in await peopled.chat.lines_around(MATCH, 3, 1)] == [2, 3, 4]
    assert await peopled.moderation.record(record(ModerationAction.REMOVE_LINE), [line_removing_step(MATCH, 3)])
    assert not await peopled.moderation.record(
        record(ModerationAction.REMOVE_LINE, command="c2"), [line_removing_step(MATCH, 3)]
    )
    assert [line.text for line in await peopled.chat.lines_around(MATCH, 3, 1)] == ["line 2", "", "line 4"]
    assert await peopled.chat.lines_around(MATCH, 2**53 - 1, 8) == []


async def test_entries_are_numbered_without_gaps_under_concurrent_writes(peopled: Stores) -> None:
    async def write(number: int) -> None:
        while not await peopled.moderation.record(record(ModerationAction.DISMISS, command=f"d{number}")):
            pass

    await asyncio.gather(*(write(number) for number in range(12)))
    entries = await peopled.moderation.entries_after(0)
    assert [entry.number for entry in entries] == list(range(1, 13))
    assert {entry.command_id for entry in entries} == {f"d{number}" for number in range(12)}
    assert await peopled.moderation.latest_number() == 12


async def test_a_command_is_recorded_once(peopled: Stores) -> None:
    assert await peopled.moderation.record(record(ModerationAction.DISMISS, by=None))
    assert not await peopled.moderation.record(record(ModerationAction.DISMISS, by=None))
    assert await peopled.moderation.was_recorded("", CommandId("c1"))
    assert not await peopled.moderation.was_recorded(ANN.id, CommandId("c1"))


async def test_the_log_is_searched_by_moderator_player_and_action(peopled: Stores) -> None:
    entries = [
        record(ModerationAction.MUTE),
        record(ModerationAction.UNMUTE, CAT, "c2"),
        record(ModerationAction.VOID, None, "c3", None),
    ]
    for each in entries:
        assert await peopled.moderation.record(each)

    async def found(wanted: LogFilter) -> list[ActionRecord]:
        return [entry._replace(number=0) for entry in await peopled.moderation.log(wanted, 10)]

    assert await found(LogFilter()) == entries[::-1]
    assert await found(LogFilter(before=3)) == entries[1::-1]
    assert await found(LogFilter(name="CA")) == [entries[1]]
    assert await found(LogFilter(name="console")) == [entries[2]]
    assert await found(LogFilter(action=ModerationAction.MUTE)) == [entries[0]]
    assert await found(LogFilter(player=CAT.id)) == [entries[1]]


async def test_a_report_is_stored_once_until_it_is_settled(peopled: Stores) -> None:
    reports = peopled.reports
    await reports.add(report())
    await reports.add(report()._replace(note="again"))
    later = report(command="r2", at_ms=6)._replace(match=None, line=None, text="", reason="name")
    await reports.add(later)
    assert [(each.report, each.account_name) for each in await reports.open(9, 9)] == [
        (later, "Ben"),
        (report(), "Ben"),
    ]
    assert await peopled.moderation.record(record(ModerationAction.DISMISS), (), [later.id])
    assert [each.report for each in await reports.open(9, 9)] == [report()]
    assert (await reports.tallies_of_reporters(), await reports.tallies_of_reported()) == (
        {CAT.id: ReportTally(0, 1)},
        {BEN.id: ReportTally(0, 1)},
    )
    assert await peopled.moderation.record(record(ModerationAction.MUTE, command="c2"), (), [later.id, report().id])
    assert await reports.tally_about(BEN.id) == ReportTally(1, 1)


async def test_many_reports_about_one_player_do_not_hide_those_about_others(peopled: Stores) -> None:
    reports = peopled.reports
    await reports.add(report(command="genuine", at_ms=1)._replace(player_id=ANN.id, player_name="Ann"))
    for number in range(30):
        await reports.add(report(command=f"flood {number}", at_ms=10 + number))
    found = await reports.open(20, 10)
    assert [(each.report.player.id, each.number_about_player) for each in found] == [(BEN.id, 30)] * 10 + [(ANN.id, 1)]
    assert [each.report.at_ms for each in found[:10]] == list(range(39, 29, -1))


async def test_nobody_settles_reports_about_themselves(peopled: Stores) -> None:
    await peopled.reports.add(report())
    assert await peopled.moderation.record(record(ModerationAction.DISMISS, by=BEN), (), [report().id])
    assert len(await peopled.reports.open(9, 9)) == 1


async def test_of_several_moderators_taking_the_same_reports_one_gets_them(peopled: Stores) -> None:
    for command in ("r1", "r2"):
        await peopled.reports.add(report(command=command))
    takers = [IdentityId(f"taker-{number}") for number in range(6)]
    got = await asyncio.gather(*(peopled.reports.take(BEN.id, taker) for taker in takers))
    assert got.count(True) == 1
    winner = takers[got.index(True)]
    assert {each.taken_by.id for each in await peopled.reports.open(9, 9) if each.taken_by} == {winner}
    assert await peopled.reports.take(BEN.id, winner)
    await peopled.reports.release(BEN.id, winner)
    assert await peopled.reports.take(BEN.id, ANN.id)
    assert {each.taken_by for each in await peopled.reports.open(9, 9)} == {NamedPlayer(ANN.id, "Ann")}
    assert not await peopled.reports.take(CAT.id, ANN.id)


async def test_a_guest_is_known_from_a_report_or_a_line(peopled: Stores) -> None:
    assert await peopled.moderation.find(GUEST.id) is None
    assert await peopled.chat.add_line(MATCH, ChatLine(1, "spectators", GUEST, "hi", 1), CommandId("say"))
    target = await peopled.moderation.find(GUEST.id)
    assert target is not None
    assert target.player == GUEST


async def test_reporters_who_want_it_are_notified_in_the_transaction_that_upholds_their_report(
    peopled: Stores,
) -> None:
    for reporter in (ANN, CAT, GUEST):
        await peopled.reports.add(report(reporter))
    await peopled.notifications.set_toggled(ANN.id, [NotificationKind.CHALLENGED, NotificationKind.REPORT_UPHELD])
    await peopled.notifications.set_toggled(CAT.id, [NotificationKind.CHALLENGED])
    settled = [f"{reporter.id}/r1" for reporter in (ANN, CAT, GUEST)]
    upheld = record(ModerationAction.UPHOLD, by=None)
    assert await peopled.moderation.record(upheld, (), settled)
    assert not await peopled.moderation.record(upheld, (), settled)
    expected = Notification(NotificationKind.REPORT_UPHELD, BEN.id, upheld.at_ms, MATCH)
    inboxes = [list(await peopled.notifications.latest(reporter.id, 9)) for reporter in (ANN, CAT, GUEST)]
    assert inboxes == [[], [expected], [expected]]


async def test_dismissed_reports_notify_nobody(peopled: Stores) -> None:
    await peopled.reports.add(report())
    assert await peopled.moderation.record(record(ModerationAction.DISMISS), (), [f"{CAT.id}/r1"])
    assert await peopled.notifications.latest(CAT.id, 9) == []


async def test_a_deleted_player_is_nameless_in_reports_and_has_no_role(peopled: Stores) -> None:
    nobody = Player(IdentityId("nobody"), "Deleted player")
    await peopled.reports.add(report())
    assert await peopled.moderation.record(record(ModerationAction.MAKE_ADMIN), [role_step(BEN.id, None, Role.ADMIN)])
    mute = imposing_steps(BEN.id, RestrictionKind.MUTE, Restriction("rude"))
    assert await peopled.moderation.record(record(ModerationAction.MUTE, command="c2"), mute)
    for player in (BEN, CAT):
        await peopled.accounts.delete(player.id, nobody, IdentityId(f"scrubbed-{player.id}"), 5)
    (entry,) = await peopled.reports.open(9, 9)
    gone = NamedPlayer(nobody.id, nobody.name)
    assert (entry.report.reporter, entry.report.player, entry.account_name) == (gone, gone, None)
    assert (list(await peopled.accounts.roles()), list(await peopled.restrictions.all())) == ([], [])

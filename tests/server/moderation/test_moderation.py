"""Moderation over real sockets: reports, moderators' actions, and the messages to affected players."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from millrace.protocol import VERSION, Code, ModerationAction
from millrace.server.moderation import enforcement
from tests.server.chat.conversation import begin, talk, texts
from tests.server.in_process_server import Frame, Serve, Served, Visitor
from tests.server.moderation.console import Console, console_of
from tests.server.moderation.moderators import cases, moderate, moderator, report
from tests.server.players.accounts.registered_players import PASSWORD, ask, closed, register
from tests.server.ratings.rated_play import ME, MOVES, OPEN, play, profile, rated
from tests.server.web.get_requests import fetch

CHANGING = {"moderation_log", "profiles"}
"""What an action is noted in, and when players were last online."""


async def test_a_role_given_on_the_command_line_is_sent_at_once_and_at_every_hello(
    served: Served, console: Console
) -> None:
    meg = await moderator(served, console)
    assert meg.read[-1] == {
        "type": "your_restrictions",
        "role": "moderator",
        "mute_text": "",
        "muted_until_ms": None,
        "name_removed": False,
    }
    again = await served.visitor(meg.token)
    assert (await again.hear_until("your_restrictions"))["role"] == "moderator"
    await console.do(ModerationAction.REMOVE_ROLE, "Margaret")
    assert (await meg.hear_until("your_restrictions"))["role"] is None
    assert (await moderate(meg, "mute", player=meg.player["id"]))["code"] == Code.NOT_ALLOWED


async def test_moderation_is_for_moderators(served: Served) -> None:
    ben = await register(served)
    commands: list[tuple[str, Frame]] = [
        ("moderate", {"action": "mute", "player": ben.player["id"], "reason": "why not"}),
        ("take_reports", {"player": ben.player["id"]}),
        ("settle_reports", {"player": ben.player["id"], "reports": ["a/b"], "upheld": True, "reason": "yes"}),
        ("get_chat_context", {"match": "m", "line": 1}),
        ("get_moderation_record", {"name": "Beatrix"}),
        ("get_moderation_log", {}),
    ]
    for type_, fields in commands:
        assert (await ask(ben, type_, **fields))["code"] == Code.NOT_ALLOWED, type_
    await ben.say("watch_reports")
    assert (await ben.hear_until("refused"))["code"] == Code.NOT_ALLOWED


async def test_a_report_is_taken_acted_upon_and_settled(served: Served, console: Console) -> None:
    meg = await moderator(served, console)
    ann, ben, _, match = await begin(served)
    await talk(ann, match, "good luck")
    await talk(ben, match, "you fool")
    number = (await ann.hear_until("chat_line_added", match=match))["line"]["number"]
    assert await cases(meg) == []
    assert (await report(ann, match, line=number, note="Not nice."))["type"] == "done"
    await ann.say("watch_notifications")
    (case,) = (await meg.hear_until("open_reports"))["players"]
    (entry,) = case["reports"]
    assert (case["player"]["id"], case["registered"], case["taken_by"]) == (ben.player["id"], False, None)
    assert (entry["by"]["name"], entry["text"], entry["note"]) == (ann.player["name"], "you fool", "Not nice.")
    lines = await ask(meg, "get_chat_context", match=match, line=number)
    assert texts(lines) == ["good luck", "you fool"]
    assert (await ask(meg, "take_reports", player=ben.player["id"]))["type"] == "done"
    (case,) = (await meg.hear_until("open_reports"))["players"]
    assert case["taken_by"]["name"] == "Margaret"
    answer = await moderate(meg, "mute", player=ben.player["id"], duration_ms=3_600_000, reports=[entry["id"]])
    assert answer["type"] == "done"
    assert "Insults." in (await ben.hear_until("your_restrictions"))["mute_text"]
    notice = (await ann.hear_until("notification_added"))["notification"]
    assert (notice["kind"], notice["subject"], notice["match"]) == ("report_upheld", ben.player["id"], match)
    assert (await meg.hear_until("open_reports"))["players"] == []
    refused = await talk(ben, match, "what?")
    assert refused["code"] == Code.MUTED
    assert "until" in refused["message"]
    assert "Insults." in refused["message"]
    assert (await moderate(meg, "unmute", player=ben.player["id"]))["type"] == "done"
    assert (await talk(ben, match, "sorry"))["type"] == "done"


async def test_texts_contain_no_invisible_characters(served: Served, console: Console) -> None:
    meg, ben = await moderator(served, console), await register(served, "Benjamin")
    about = meg.player["id"]
    for text in ("a\0b", "a\u202eb"):
        assert (await report(ben, None, player=about, reason="other", note=text))["code"] == Code.BAD_TEXT
        mute = {"action": "mute", "player": ben.player["id"], "reason": text}
        assert (await ask(meg, "moderate", **mute))["code"] == Code.BAD_TEXT
    assert (await report(ben, None, player=about, reason="other", note=" One.\r\n\tTwo. "))["type"] == "done"
    (case,) = await cases(await moderator(served, console, "Martha"))
    assert case["reports"][0]["note"] == "One.\nTwo."


async def test_two_moderators_do_not_handle_the_same_reports(served: Served, console: Console) -> None:
    meg, max_ = await moderator(served, console), await moderator(served, console, "Maximilian")
    ann, ben, _, match = await begin(served)
    await report(ann, match, player=ben.player["id"])
    assert (await ask(meg, "take_reports", player=ben.player["id"]))["type"] == "done"
    assert (await ask(max_, "take_reports", player=ben.player["id"]))["code"] == Code.REPORTS_TAKEN
    assert (await ask(meg, "take_reports", player=ben.player["id"], on=False))["type"] == "done"
    assert (await ask(max_, "take_reports", player=ben.player["id"]))["type"] == "done"
    (case,) = await cases(max_)
    ids = [each["id"] for each in case["reports"]]
    settle = {"player": ben.player["id"], "reports": ids, "upheld": False, "reason": "Nothing in it."}
    assert (await ask(meg, "settle_reports", **settle))["code"] == Code.REPORTS_TAKEN
    assert (await ask(max_, "settle_reports", **settle))["type"] == "done"
    assert (await ask(meg, "settle_reports", **settle))["code"] == Code.NOTHING_TO_DO


async def test_a_profile_is_reported_without_a_match(served: Served, console: Console) -> None:
    meg = await moderator(served, console)
    ben, ann = await register(served, "Rudename"), await served.visitor()
    assert (await report(ann, None, player=ben.player["id"], reason="name"))["type"] == "done"
    (case,) = await cases(meg)
    assert (case["registered"], case["reports"][0]["match"], case["reports"][0]["text"]) == (True, None, "Rudename")
    assert (await report(ann, None, player="guest-nobody"))["code"] == Code.UNKNOWN_PLAYER
    assert (await report(ann, None, line=1))["code"] == Code.UNKNOWN_LINE
    assert (await report(ann, None))["code"] == Code.UNKNOWN_LINE
    assert (await report(ben, None, player=ben.player["id"]))["code"] == Code.NOT_FOR_YOU


async def test_only_readable_lines_can_be_reported_and_reports_are_limited(served: Served) -> None:
    ann, ben, eve, match = await begin(served)
    await talk(ben, match, "you fool")
    assert (await report(eve, match, line=1))["code"] == Code.UNKNOWN_LINE
    answers = [await report(ann, match, player=ben.player["id"]) for _ in range(6)]
    assert [answer["type"] for answer in answers] == ["done"] * 5 + ["refused"]


async def test_a_banned_player_is_disconnected_with_a_reason_and_their_matches_resigned(
    served: Served, console: Console
) -> None:
    ben, ann = await register(served, "Benjamin"), await register(served, "Annabel")
    token = await ask(ben, "create_token", label="bot", scopes=["read"])
    script = await served.visitor(token["token"])
    match = str((await ben.ask("create", id="c", game="morris", seats=[ME, OPEN]))["match"])
    await ann.ask("join", id="j", match=match)
    await ann.say("watch", match=match)
    waiting = str((await ben.ask("create", id="w", game="morris", seats=[ME, OPEN], listed=True))["match"])
    challenge = {"game": "morris", "seats": [ME, OPEN], "invited": "Benjamin"}
    challenged = str((await ann.ask("create", id="x", **challenge))["match"])
    await console.do(ModerationAction.BAN, "Benjamin", "Cheating, over and over")
    for visitor in (ben, script):
        code, reason, refused = await closed(visitor)
        assert (code, refused, "Cheating, over and over." in reason) == (1008, Code.BANNED, True)
    assert (await ann.hear_event("ended"))["event"]["reason"] == "resignation"
    for over in (waiting, challenged):
        await ann.say("watch", match=over)
        await ann.hear_event("ended")
    guest = await served.visitor()
    refused_entry = await ask(guest, "sign_in", name="Benjamin", password=PASSWORD)
    assert (refused_entry["code"], "Cheating" in refused_entry["message"]) == (Code.BANNED, True)
    assert (await ask(guest, "sign_in", name="Benjamin", password="wrong"))["code"] == Code.WRONG_PASSWORD
    assert (await ann.ask("create", id="y", **challenge))["code"] == Code.BANNED
    await console.do(ModerationAction.UNBAN, "Benjamin")
    while (answer := await ask(guest, "sign_in", name="Benjamin", password=PASSWORD))["type"] != "signed_in":
        pass
    assert (await served.visitor(answer["token"])).player["name"] == "Benjamin"


async def test_a_lifted_ban_gives_back_what_it_took(served: Served, console: Console, tmp_path: Path) -> None:
    """Everything that was stored, whatever table it is in."""
    guest, ann = await served.visitor(), await register(served, "Annabel")
    registered = await ask(guest, "register", name="Benjamin", password=PASSWORD)
    ben = await served.visitor(registered["token"])
    made = await ask(ben, "create_token", label="bot", scopes=["read"])
    await ask(ben, "set_profile", bio="Hello", country="FR")
    for one, other in ((ben, ann), (ann, ben)):
        assert (await ask(one, "follow", player=other.player["id"], on=True))["type"] == "done"

    def stored() -> dict[str, list[tuple[object, ...]]]:
        with closing(sqlite3.connect(f"file:{tmp_path / 'test.sqlite3'}?mode=ro", uri=True)) as database:
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
        return {name: sorted(each, key=repr) for name, each in rows.items() if name not in CHANGING}

    before = stored()
    await console.do(ModerationAction.BAN, "Benjamin")
    assert (await closed(ben))[2] == Code.BANNED
    for token in (registered["token"], made["token"]):
        stranger = await served.socket()
        await stranger.say("hello", version=VERSION, token=token)
        assert (await stranger.hear())["code"] == Code.BAD_TOKEN
    await console.do(ModerationAction.UNBAN, "Benjamin")
    assert stored() == before
    for token in (registered["token"], made["token"]):
        assert (await served.visitor(token)).player["name"] == "Benjamin"


async def test_a_voided_match_stays_visible_and_its_rating_changes_are_reverted(
    served: Served, console: Console
) -> None:
    meg = await moderator(served, console)
    ann, ben = await register(served, "Annabel"), await register(served, "Benjamin")
    matches = []
    for _ in range(2):
        matches.append(await play([ann, ben]))
        for visitor in (ann, ben):
            await rated(visitor)
    before = [await points(meg, name) for name in ("Annabel", "Benjamin")]
    assert (await moderate(meg, "void", match=matches[0]))["type"] == "done"
    voided = await ann.hear_event("voided")
    assert "does not count" in voided["event"]["explanation"]
    after = [await points(meg, name) for name in ("Annabel", "Benjamin")]
    assert before[0] < after[0] < 1500 < after[1] < before[1]
    assert (await moderate(meg, "void", match=matches[0]))["code"] == Code.NOTHING_TO_DO
    assert (await moderate(meg, "void", match=matches[1]))["type"] == "done"
    assert [await points(meg, name) for name in ("Annabel", "Benjamin")] == pytest.approx([1500, 1500], abs=2)
    shown = await profile(meg, "Annabel")
    assert [each["void"] for each in shown["matches"]] == [True, True]
    assert json.loads((await fetch(served, f"/match/{matches[0]}.json"))[2])["void"] is True
    assert shown["ratings"][0]["history"] == []
    assert len(await played(meg, matches[0])) == len(MOVES)


async def points(visitor: Visitor, name: str) -> int:
    return int((await profile(visitor, name))["ratings"][0]["rating"])


async def played(visitor: Visitor, match: str) -> list[str]:
    await visitor.say("watch", match=match)
    frame = await visitor.hear_until("match_events", match=match)
    return [each["event"]["move"] for each in frame["events"] if each["event"]["type"] == "moved"]


async def test_only_finished_matches_are_voided_and_not_by_their_players(served: Served, console: Console) -> None:
    meg, ann = await moderator(served, console), await register(served, "Annabel")
    match = str((await ann.ask("create", id="c", game="morris", seats=[ME, OPEN]))["match"])
    assert (await moderate(meg, "void", match=match))["code"] == Code.NOT_OVER
    assert (await moderate(meg, "void", match="nothing"))["code"] == Code.UNKNOWN_MATCH
    own = await play([ann, meg])
    assert (await moderate(meg, "void", match=own))["code"] == Code.NOT_ALLOWED


async def test_actions_taken_while_the_server_was_down_apply_when_it_is_back(serve: Serve, tmp_path: Path) -> None:
    served: Served = await serve()
    meg = await register(served, "Margaret")
    async with console_of(tmp_path) as console:
        await console.do(ModerationAction.MAKE_ADMIN, "Margaret")
        await console.do(ModerationAction.MUTE, "Margaret", "Shouting")
    again: Served = await serve()
    yours = await (await again.visitor(meg.token)).hear_until("your_restrictions")
    assert (yours["role"], "Shouting." in yours["mute_text"]) == ("admin", True)


async def test_only_admins_change_roles_and_act_against_admins(served: Served, console: Console) -> None:
    ada = await moderator(served, console, "Adalbert", ModerationAction.MAKE_ADMIN)
    meg = await register(served, "Margaret")
    assert (await moderate(ada, "make_moderator", player=meg.player["id"]))["type"] == "done"
    assert (await meg.hear_until("your_restrictions"))["role"] == "moderator"
    assert (await moderate(meg, "ban", player=ada.player["id"]))["code"] == Code.NOT_ALLOWED
    assert (await moderate(meg, "make_admin", player=meg.player["id"]))["code"] == Code.NOT_ALLOWED
    assert (await moderate(ada, "make_moderator", player=meg.player["id"]))["code"] == Code.NOTHING_TO_DO
    record = await ask(ada, "get_moderation_record", name="margaret")
    assert (record["role"], [entry["action"] for entry in record["log"]]) == ("moderator", ["make_moderator"])
    assert (await ask(ada, "get_moderation_record", name="nobody-here"))["code"] == Code.UNKNOWN_PLAYER
    assert (await ask(ada, "moderate", action="mute", reason=" \t ", player=meg.player["id"]))["code"] == Code.BAD_TEXT


async def test_an_api_token_cannot_moderate(served: Served, console: Console) -> None:
    meg = await moderator(served, console)
    token = await ask(meg, "create_token", label="script", scopes=["read", "play", "challenge", "chat"])
    script = await served.visitor(token["token"])
    assert (await ask(script, "get_moderation_log"))["code"] == Code.SCOPE_NEEDED


async def test_a_ban_that_was_stored_just_before_a_crash_ends_play_after_the_restart(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enforcement, "POLL_SECONDS", 3600)
    served = await serve()
    ann, ben = await register(served, "Annabel"), await register(served, "Benjamin")
    match = (await ann.ask("create", id="c", game="morris", seats=[ME, {"occupant": "open"}]))["match"]
    await ben.ask("join", id="j", match=match)
    challenge = (await ben.ask("create", id="d", game="morris", seats=[ME, OPEN], invited="Annabel"))["match"]
    async with console_of(tmp_path) as console:
        await console.do(ModerationAction.BAN, "Annabel")
    ben = await (await serve()).visitor(ben.token)
    await ben.say("watch", match=match)
    assert (await ben.hear_event("ended"))["event"]["reason"] == "resignation"
    await ben.say("watch", match=challenge)
    assert (await ben.hear_event("ended"))["event"]["reason"] == "declined"

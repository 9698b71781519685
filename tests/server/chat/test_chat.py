"""Chat beside the board over real sockets: who reads what, refusals, and storage."""

import asyncio

import pytest

from millrace.protocol import ChatLine, Code, CommandId, MatchId
from millrace.server.chat.chat_store import ChatStore
from tests.server.chat.conversation import ME, OPEN, answer_of, begin, history, talk, texts
from tests.server.in_process_server import Frame, Serve, Served, Visitor

SLOW_SECONDS = 0.06
"""Time in which others write while a line is stored."""


async def test_players_and_spectators_have_separate_rooms(served: Served) -> None:
    ann, ben, eve, match = await begin(served)
    await talk(ann, match, "good luck")
    await talk(eve, match, "white looks nervous")
    said = (await ben.hear_until("chat_line_added"))["line"]
    assert (said["text"], said["room"], said["player"]["id"]) == ("good luck", "players", ann.player["id"])
    assert texts(await history(ben, match)) == ["good luck"]
    assert texts(await history(eve, match)) == ["white looks nervous"]
    assert not [
        frame for frame in ben.read if frame["type"] == "chat_line_added" and frame["line"]["room"] == "spectators"
    ]


async def test_everyone_reads_both_rooms_after_the_match(served: Served) -> None:
    ann, ben, eve, match = await begin(served)
    await talk(ann, match, "good luck")
    await talk(eve, match, "white looks nervous")
    await ben.ask("resign", id="r", match=match, seat=1)
    for visitor in (ann, eve):
        while texts(chat := await visitor.hear_until("chat")) != ["good luck", "white looks nervous"]:
            pass
        assert chat["room"] == ("players" if visitor is ann else "spectators")
    await talk(ben, match, "well played")
    assert (await eve.hear_until("chat_line_added"))["line"]["text"] == "well played"


async def test_a_new_player_reads_the_players_room(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = str((await ann.ask("create", id="create", game="morris", seats=(ME, OPEN)))["match"])
    await talk(ann, match, "anyone there?")
    assert (await history(ben, match))["room"] == "spectators"
    await ben.say("join", id="join", match=match)
    chat = await ben.hear_until("chat")
    assert (chat["room"], texts(chat)) == ("players", ["anyone there?"])


async def test_lines_survive_a_restart(serve: Serve) -> None:
    served = await serve()
    ann, _, _, match = await begin(served)
    await talk(ann, match, "see you tomorrow")
    again: Served = await serve()
    assert texts(await history(await again.visitor(ann.token), match)) == ["see you tomorrow"]


async def test_simultaneous_lines_wait_for_each_other(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    add_line, stored = ChatStore.add_line, list[bool]()

    async def add_slowly(chat: ChatStore, match: MatchId, line: ChatLine, command: CommandId) -> bool:
        await asyncio.sleep(SLOW_SECONDS)
        stored.append(await add_line(chat, match, line, command))
        return stored[-1]

    monkeypatch.setattr(ChatStore, "add_line", add_slowly)
    guests = [await served.visitor() for _ in range(8)]
    match = str((await guests[0].ask("create", id="create", game="morris", seats=(ME, OPEN)))["match"])

    async def talk_after(number: int, guest: Visitor) -> Frame:
        await asyncio.sleep(number * SLOW_SECONDS / 3)
        return await talk(guest, match, f"line {number}")

    answers = await asyncio.gather(*(talk_after(number, guest) for number, guest in enumerate(guests)))
    assert [answer["type"] for answer in answers] == ["done"] * len(guests)
    assert stored == [True] * len(guests), "no two of them took the same number"


async def test_simultaneous_lines_are_numbered_without_gaps(served: Served) -> None:
    ann, ben, eve, match = await begin(served)
    await asyncio.gather(
        *(talk(visitor, match, f"hello from {index}") for index, visitor in enumerate((ann, ben, eve)))
    )
    await ann.ask("resign", id="r", match=match, seat=0)
    assert [line["number"] for line in (await history(ben, match))["lines"]] == [1, 2, 3]


async def test_too_many_lines_are_refused_with_a_reason(served: Served) -> None:
    ann, _, _, match = await begin(served)
    answers = [await talk(ann, match, f"line {number}") for number in range(3)]
    assert [answer["type"] for answer in answers] == ["done", "done", "refused"]
    assert answers[2]["code"] == Code.RATE_LIMITED
    assert "seconds" in answers[2]["message"]
    assert (await talk(ann, match, "\x07"))["code"] == Code.BAD_TEXT


async def test_mutes_are_stored_and_private(served: Served) -> None:
    ann, ben, _, match = await begin(served)
    await ann.say("mute", id="m", player=ben.player["id"])
    assert (await ann.hear_until("chat"))["muted"] == [ben.player["id"]]
    assert (await answer_of(ann, "m"))["type"] == "done"
    assert (await history(await served.visitor(ann.token), match))["muted"] == [ben.player["id"]]
    assert (await history(ben, match))["muted"] == []
    await ann.say("mute", id="u", player=ben.player["id"], on=False)
    assert (await ann.hear_until("chat"))["muted"] == []


async def test_the_chat_of_an_unknown_match_is_refused(served: Served) -> None:
    ann = await served.visitor()
    await ann.say("watch_chat", match="nothing")
    refused = await ann.hear_until("refused")
    assert (refused["code"], refused["match"]) == (Code.UNKNOWN_MATCH, "nothing")


async def test_lines_of_a_deleted_account_stay_without_a_name(served: Served) -> None:
    ann, ben, _, match = await begin(served)
    password = "correct horse battery"
    await ann.say("register", id="register", name="Beatrix", password=password)
    await ann.hear_until("signed_in")
    await talk(ann, match, "Good luck!")
    await ann.say("delete_account", id="delete", password=password)
    while (chat := await ben.hear_until("chat"))["lines"][0]["player"]["name"] != "Deleted player":
        pass
    assert chat["lines"][0]["text"] == "Good luck!"

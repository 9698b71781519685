"""The chat of a tournament: everyone reads it, accounts write, moderators remove lines."""

import time
from pathlib import Path

import pytest

from tests.server.chat.conversation import history, talk, texts
from tests.server.in_process_server import Serve
from tests.server.moderation.console import console_of
from tests.server.moderation.moderators import moderator
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register_all
from tests.server.tournaments.arenas import plan
from tests.server.tournaments.evenings import Evening


async def begin(serve: Serve) -> tuple[Evening, str]:
    """Return a tournament with two players, and the name of its chat."""
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    return evening, f"tournament/{evening.tournament}"


async def test_entrants_and_spectators_with_an_account_write_and_everyone_reads(serve: Serve) -> None:
    evening, chat = await begin(serve)
    ann, _ = evening.players
    (cleo,) = await register_all(evening.served, "Cleopatra")
    guest = await evening.served.visitor()
    assert (await history(guest, chat))["room"] == "spectators"
    for writer, text in ((ann, "hello"), (cleo, "good luck")):
        assert (await talk(writer, chat, text))["type"] == "done"
        added = await guest.hear_until("chat_line_added", match=chat)
        assert (added["line"]["player"]["name"], added["line"]["text"]) == (writer.player["name"], text)
    assert (await talk(guest, chat, "me too"))["code"] == "account_needed"
    await evening.restart()
    assert texts(await history(evening.players[0], chat)) == ["hello", "good luck"]


@pytest.mark.parametrize("chat", ["tournament/unknown", "{tournament}", "/{tournament}", "study/{tournament}"])
async def test_only_a_tournament_has_the_chat_of_one(serve: Serve, chat: str) -> None:
    evening, _ = await begin(serve)
    ann, _ = evening.players
    assert (await talk(ann, chat.format(tournament=evening.tournament), "hello"))["type"] == "refused"


async def test_a_moderator_sees_the_reported_line_of_a_tournament_in_its_context_and_removes_it(
    serve: Serve, tmp_path: Path
) -> None:
    evening, chat = await begin(serve)
    ann, ben = evening.players
    for writer, text in ((ann, "hello"), (ben, "you are bad"), (ann, "pardon?")):
        await talk(writer, chat, text)
    assert (await ann.ask("report", match=chat, line=2, reason="insult"))["type"] == "done"
    async with console_of(tmp_path) as console:
        judge = await moderator(evening.served, console)
    await judge.say("watch_reports")
    (reported,) = (await judge.hear_until("open_reports"))["players"]
    (report,) = reported["reports"]
    assert (report["match"], report["line"], report["text"]) == (chat, 2, "you are bad")
    context = await judge.ask("get_chat_context", match=chat, line=2)
    assert [line["text"] for line in context["lines"]] == ["hello", "you are bad", "pardon?"]
    await history(ann, chat)
    removed = {"action": "remove_line", "reason": "insult", "match": chat, "line": 2, "reports": [report["id"]]}
    assert (await judge.ask("moderate", **removed))["type"] == "done"
    assert texts(await ann.hear_until("chat", match=chat)) == ["hello", "", "pardon?"]


async def test_muted_players_are_silent_in_tournaments_too(serve: Serve, tmp_path: Path) -> None:
    evening, chat = await begin(serve)
    ann, ben = evening.players
    async with console_of(tmp_path) as console:
        judge = await moderator(evening.served, console)
    muting = {"action": "mute", "reason": "spam", "player": ben.player["id"]}
    assert (await judge.ask("moderate", **muting))["type"] == "done"
    assert (await talk(ben, chat, "hello"))["code"] == "muted"
    await ann.ask("mute", player=ben.player["id"])
    assert (await history(ann, chat))["muted"] == [ben.player["id"]]


async def test_lines_of_a_tournament_reach_spectators_on_both_nodes(cluster: Cluster) -> None:
    (ann,) = await register_all(cluster.first, "Annabel")
    created = await ann.ask("create_tournament", plan=plan(int(time.time() * 1000)))
    assert created["type"] == "tournament_created", created
    chat = f"tournament/{created['tournament']}"
    guest = await cluster.second.visitor()
    await history(guest, chat)
    await talk(ann, chat, "hello")
    assert (await guest.hear_until("chat_line_added", match=chat))["line"]["text"] == "hello"

"""Ladders on a server: joining, challenging, results, restarts, and who leaves."""

from pathlib import Path

import pytest

from millrace.protocol import ModerationAction
from millrace.server.tournaments.ladders.ladder_runner import LadderRunner
from tests.server.in_process_server import Frame, Serve, Served, Visitor
from tests.server.moderation.console import console_of
from tests.server.players.accounts.registered_players import PASSWORD, register, register_all
from tests.server.tournaments.ladders.served_ladders import (
    LADDER,
    challenge,
    join,
    names,
    names_become,
    nothing,
    resign,
    view,
)


async def notices(player: Visitor, kind: str) -> list[Frame]:
    await player.say("watch_notifications")
    found = (await player.hear_until("notifications"))["notifications"]
    return [each for each in found if each["kind"] == kind]


async def refusal(asker: Visitor, type_: str, **fields: object) -> str:
    refused = await asker.ask(type_, **{"ladder": LADDER, **fields})
    assert refused["type"] == "refused", refused
    assert refused["message"]
    return str(refused["code"])


async def test_a_challenge_begins_a_rated_match_by_correspondence_whose_result_moves_both(serve: Serve) -> None:
    served = await serve()
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await join(ann, ben)
    match = await challenge(ben, "Annabel")
    (notice,) = await notices(ann, "ladder_challenged")
    assert (notice["match"], notice["player"]["name"]) == (match, "Benjamin")
    await ann.say("watch", match=match)
    created = (await ann.hear_event("created"))["event"]
    assert (created["rated"], created["tournament"], created["clock"]["renews"]) == (True, LADDER, True)
    shown = await view(ben)
    assert [each["match"] for each in shown["yours"]] == [match]
    assert await refusal(ben, "challenge_on_ladder", player="Annabel") == "already_playing"
    await resign(ann, match)
    await names_become(ben, "Benjamin", "Annabel")
    assert [notice["explanation"] for notice in await notices(ben, "ladder_moved")] == ["1"]
    assert [notice["explanation"] for notice in await notices(ann, "ladder_moved")] == ["2"]
    assert await refusal(ann, "challenge_on_ladder", player="Benjamin") == "met_recently"
    profile = await ben.ask("get_profile", name="Annabel")
    assert [(each["ladder"], each["you"], each["players"]) for each in profile["ladders"]] == [(LADDER, 2, 2)]
    listed = (await ann.ask("get_ladders"))["ladders"]
    assert {each["ladder"]: each.get("you") for each in listed}[LADDER] == 2


async def test_each_refusal_has_a_code_and_a_sentence(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    guest = await served.visitor()
    await join(ann)
    assert await refusal(guest, "join_ladder") == "account_needed"
    assert await refusal(ann, "join_ladder", ladder="ladder-morris-bots") == "not_admitted"
    assert await refusal(ann, "join_ladder", ladder="ladder-chess") == "unknown_tournament"
    assert await refusal(ann, "challenge_on_ladder", player="Nobody") == "unknown_player"
    assert await refusal(ann, "challenge_on_ladder", player="Benjamin") == "not_joined"
    assert await refusal(ben, "challenge_on_ladder", player="Annabel") == "not_joined"
    assert await refusal(ann, "challenge_on_ladder", player="Annabel") == "not_above"
    await ann.say("watch_ladder", ladder="ladder-chess")
    assert (await ann.hear_until("refused"))["code"] == "unknown_tournament"


async def test_a_ladder_goes_on_after_a_restart_that_missed_a_result(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = await serve()
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await join(ann, ben)
    match = await challenge(ben, "Annabel")
    with monkeypatch.context() as patch:
        patch.setattr(LadderRunner, "_count", nothing)
        await resign(ann, match)
        served = await serve()
        ben = await served.visitor(ben.token)
        assert await names(ben) == ["Annabel", "Benjamin"]
    await names_become(ben, "Benjamin", "Annabel")


async def test_players_whose_account_is_deleted_banned_or_becomes_a_bot_leave(served: Served, tmp_path: Path) -> None:
    ann, ben, cem, dot = await register_all(served, "Annabel", "Benjamin", "Clothilde", "Dorothea")
    await join(ann, ben, cem, dot)
    async with console_of(tmp_path) as console:
        await console.do(ModerationAction.BAN, "Dorothea")
    assert (await ann.ask("delete_account", password=PASSWORD))["type"] == "done"
    assert (await ben.ask("become_bot"))["type"] == "done"
    await names_become(cem, "Clothilde")
    assert [change["kind"] for change in (await view(cem))["changes"]][:3] == ["left", "left", "left"]


async def test_bots_climb_a_ladder_of_their_own(served: Served) -> None:
    bot = await register(served, "Gearwheel")
    await bot.ask("become_bot")
    bot = await served.visitor(bot.token)
    assert (await bot.ask("join_ladder", ladder="ladder-morris-bots"))["type"] == "done"
    assert await refusal(bot, "join_ladder") == "not_for_bots"


async def test_followers_see_changes(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await view(ann)
    await join(ben)
    changed = await ann.hear_until("ladder_view")
    assert [row["player"]["name"] for row in changed["places"]] == ["Benjamin"]
    await ann.say("watch_ladder", ladder=LADDER, on=False)
    assert (await ben.ask("leave_ladder", ladder=LADDER))["type"] == "done"
    await ann.ping()
    assert (await names(ann)) == []

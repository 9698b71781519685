"""Bot accounts over real sockets: challenge rules, the list of bots, challenges, and what only people may do."""

from typing import Any

from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.lobby.commands import ask
from tests.server.players.accounts.registered_players import register
from tests.server.web.two_players import seated

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
RULES = {"games": ["morris"], "most_matches": 2}
REQUEST = {"game": "morris", "seats": 2}


async def online_bot(served: Served, name: str = "Gearwheel", **rules: Any) -> Visitor:
    """Return a bot that accepts challenges, connected with an API token."""
    owner = await register(served, name)
    assert (await ask(owner, "become_bot"))["type"] == "done"
    made = await ask(owner, "create_token", label="bot", scopes=["read", "play", "challenge"])
    bot = await served.visitor(made["token"])
    assert (await ask(bot, "set_challenge_rules", rules=RULES | rules))["type"] == "done"
    return bot


async def challenge(visitor: Visitor, name: str = "Gearwheel", **fields: Any) -> Frame:
    """Challenge a player by name and return the answer."""
    return await ask(visitor, "create", **{"game": "morris", "seats": [ME, OPEN], "invited": name} | fields)


async def bots_listed(visitor: Visitor, *names: str) -> list[Frame]:
    """Return the list of bots once it has exactly these names."""
    while True:
        lists: list[list[Frame]] = [frame["bots"] for frame in visitor.read if frame["type"] == "online_bots"]
        if lists and tuple(bot["player"]["name"] for bot in lists[-1]) == names:
            return lists[-1]
        await visitor.hear()


async def test_an_account_becomes_a_bot_on_all_its_connections_and_permanently(served: Served) -> None:
    owner = await register(served, "Gearwheel")
    other_tab = await served.visitor(owner.token)
    assert (await ask(owner, "become_bot"))["type"] == "done"
    assert (await ask(owner, "become_bot"))["type"] == "done"
    assert (await served.visitor(owner.token)).player["bot"] is True
    assert (await ask(other_tab, "find_match", request=REQUEST))["code"] == "not_for_bots"
    profile = await ask(await served.visitor(), "get_player_ratings", name="Gearwheel")
    assert profile["player"]["bot"] is True


async def test_guests_and_accounts_that_have_played_cannot_become_bots(served: Served) -> None:
    guest = await served.visitor()
    assert (await ask(guest, "become_bot"))["code"] == "account_needed"
    assert (await ask(guest, "create", game="morris", seats=[ME, OPEN]))["type"] == "accepted"
    owner = await register(served, "Gearwheel", guest)
    assert (await ask(owner, "become_bot"))["code"] == "has_played"
    assert (await served.visitor(owner.token)).player["bot"] is False


async def test_an_api_token_cannot_turn_its_account_into_a_bot(served: Served) -> None:
    owner = await register(served, "Gearwheel")
    made = await ask(owner, "create_token", label="bot", scopes=["read", "play", "challenge", "chat"])
    assert (await ask(await served.visitor(made["token"]), "become_bot"))["code"] == "scope_needed"


async def test_a_bot_is_listed_with_its_rules_while_its_connection_lasts(served: Served) -> None:
    reader = await served.visitor()
    await reader.say("watch_lobby")
    await bots_listed(reader)
    bot = await online_bot(served)
    (line,) = await bots_listed(reader, "Gearwheel")
    assert line["player"]["bot"] is True
    assert (line["rules"]["games"], line["rules"]["most_matches"], line["matches"]) == (["morris"], 2, 0)
    await bot.connection.close()
    await bots_listed(reader)


async def test_a_bot_that_accepts_no_more_challenges_is_no_longer_listed(served: Served) -> None:
    bot, reader = await online_bot(served), await served.visitor()
    await reader.say("watch_lobby")
    await bots_listed(reader, "Gearwheel")
    assert (await ask(bot, "set_challenge_rules", rules=None))["type"] == "done"
    await bots_listed(reader)
    assert (await challenge(reader))["code"] == "not_taken"


async def test_only_bots_can_set_challenge_rules(served: Served) -> None:
    owner = await register(served, "Beatrix")
    assert (await ask(owner, "set_challenge_rules", rules=RULES))["code"] == "bot_needed"


async def test_an_allowed_challenge_reaches_the_bot_and_is_played(served: Served) -> None:
    bot, ann = await online_bot(served), await served.visitor()
    match = (await challenge(ann))["match"]
    (received,) = (await bot.hear_until("challenges"))["challenges"]
    assert received["match"] == match
    assert (await bot.ask("join", id="j", match=match))["type"] == "accepted"
    assert sorted(player["bot"] for player in await seated(ann, match)) == [False, True]
    await ann.say("watch_lobby")
    live = (await ann.hear_until("live_matches"))["matches"]
    assert [line["bots"] for line in live if line["match"] == match] == [[1]]


async def test_a_challenge_against_the_rules_is_refused_with_the_reason(served: Served) -> None:
    await online_bot(served, untimed=False)
    refused = await challenge(await served.visitor())
    assert (refused["code"], refused["message"]) == ("not_taken", "Gearwheel plays only with a clock.")


async def test_challenging_an_offline_bot_is_refused_at_once(served: Served) -> None:
    bot = await online_bot(served)
    reader = await served.visitor()
    await reader.say("watch_lobby")
    await bot.connection.close()
    await bots_listed(reader)
    refused = await challenge(reader)
    assert (refused["code"], refused["message"]) == (
        "not_taken",
        "Gearwheel is a bot that is offline; try again later.",
    )


async def test_a_bot_gets_at_most_as_many_matches_as_it_accepts(served: Served) -> None:
    bot, ann = await online_bot(served), await served.visitor()
    first = (await challenge(ann, id="c-1"))["match"]
    second = (await challenge(ann, id="c-2"))["match"]
    assert (await challenge(ann, id="c-3"))["code"] == "not_taken"
    # A repeated challenge is the same challenge.
    assert (await challenge(ann, id="c-2"))["match"] == second
    assert (await bot.ask("decline", id="d", match=first))["type"] == "accepted"
    assert (await challenge(ann, id="c-4"))["type"] == "accepted"


async def test_bots_cannot_join_open_matches_of_people_but_everyone_can_join_those_of_bots(served: Served) -> None:
    bot, other, ann = await online_bot(served), await online_bot(served, "Flywheel"), await served.visitor()
    of_ann = await ask(ann, "create", game="morris", seats=[ME, OPEN], listed=True)
    of_bot = await ask(other, "create", game="morris", seats=[ME, OPEN], listed=True)
    await bot.say("watch_lobby")
    (seek,) = (await bot.hear_until("seeks"))["seeks"]
    assert (seek["match"], seek["by"]["bot"]) == (of_bot["match"], True)
    assert (await bot.ask("join", id="j-1", match=of_ann["match"]))["code"] == "not_for_bots"
    assert (await bot.ask("join", id="j-2", match=of_bot["match"]))["type"] == "accepted"


async def test_a_bot_can_join_an_unlisted_match_by_its_link(served: Served) -> None:
    bot, ann = await online_bot(served), await served.visitor()
    match = (await ask(ann, "create", game="morris", seats=[ME, OPEN]))["match"]
    assert (await bot.ask("join", id="j", match=match))["type"] == "accepted"

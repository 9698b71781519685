"""The page's settings over real sockets: stored with the account, the same on every device."""

from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import PASSWORD, register_all

MARBLE = {
    "board": "marble",
    "men": "plain",
    "theme": "dark",
    "coordinates": False,
    "hints": True,
    "animation": False,
    "sound": True,
    "volume": 25,
    "language": "de",
}


async def test_settings_are_the_same_on_another_device(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    assert (await ann.ask("get_page_settings"))["settings"] is None
    assert (await ann.ask("set_page_settings", settings=MARBLE))["type"] == "done"
    answer = await (await served.visitor()).ask("sign_in", name="Annabel", password=PASSWORD)
    phone = await served.visitor(answer["token"])
    assert (await phone.ask("get_page_settings"))["settings"] == MARBLE


async def test_an_omitted_field_has_its_default(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    await ann.ask("set_page_settings", settings={"board": "pixel"})
    settings = (await ann.ask("get_page_settings"))["settings"]
    assert (settings["board"], settings["theme"], settings["volume"]) == ("pixel", "system", 60)


async def test_unknown_values_are_refused(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    for wrong in ({"board": "glass"}, {"volume": 101}, {"colour": "red"}):
        assert (await ann.ask("set_page_settings", settings=wrong))["code"] == "malformed"


async def test_too_many_changes_are_refused(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    answers = [await ann.ask("set_page_settings", settings=MARBLE) for _ in range(61)]
    assert [answer["type"] for answer in answers] == ["done"] * 60 + ["refused"]

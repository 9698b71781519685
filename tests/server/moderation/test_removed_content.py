"""What moderators remove: lines, studies, imported names and comments, and names, over real sockets."""

import pytest

from millrace.protocol import Code, ModerationAction
from tests.server.chat.conversation import begin, history, talk, texts
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.moderation.console import Console
from tests.server.moderation.moderators import cases, moderate, moderator, report
from tests.server.players.accounts.registered_players import PASSWORD, ask, register
from tests.server.ratings.rated_play import ME, OPEN
from tests.server.web.get_requests import fetch


async def test_a_removed_line_is_empty_for_everyone_and_kept_in_the_log(served: Served, console: Console) -> None:
    meg = await moderator(served, console)
    ann, ben, _, match = await begin(served)
    await talk(ben, match, "you fool")
    assert (await moderate(meg, "remove_line", match=match, line=1))["type"] == "done"
    while texts(await ann.hear_until("chat")) != [""]:
        pass  # the list is sent again whenever mutes have been read
    assert texts(await history(ben, match)) == [""]
    (entry,) = (await ask(meg, "get_moderation_log", action="remove_line"))["entries"]
    assert (entry["by"], entry["detail"], entry["player"]["id"]) == ("Margaret", "you fool", ben.player["id"])
    assert (await moderate(meg, "remove_line", match=match, line=1))["code"] == Code.NOTHING_TO_DO
    assert (await moderate(meg, "remove_line", match=match, line=9))["code"] == Code.UNKNOWN_LINE


async def save_study(visitor: Visitor, **fields: object) -> Frame:
    text = {"upload": "u", "part": 0, "parts": 1, "game": "morris", "text": "{Rude start} 1. d6 {Rude words} f4"}
    return await ask(visitor, "save_study", **{**text, "title": "Rude title", **fields})


@pytest.mark.parametrize("is_registered", [True, False])
async def test_a_reported_study_is_cleared_and_then_removed(
    served: Served, console: Console, is_registered: bool
) -> None:
    owner = await register(served, "Rudolph") if is_registered else await served.visitor()
    ann, meg = await served.visitor(), await moderator(served, console)
    study = (await save_study(owner))["study"]
    assert (await report(ann, None, study="nothing"))["code"] == Code.UNKNOWN_STUDY
    assert (await report(owner, None, study=study))["code"] == Code.NOT_FOR_YOU
    assert (await report(ann, None, study=study))["type"] == "done"
    (case,) = await cases(meg)
    (reported,) = case["reports"]
    assert (case["player"]["id"], reported["study"]) == (owner.player["id"], study)
    assert "Rude title" in reported["text"] and "Rude words" in reported["text"]  # noqa: PT018  # one text
    assert (await moderate(ann, "clear_study", study=study))["code"] == Code.NOT_ALLOWED
    assert (await moderate(meg, "clear_study", study=study, reports=[reported["id"]]))["type"] == "done"
    cleared = await ask(ann, "get_study", study=study)
    assert (cleared["title"], cleared["text"]) == ("", "1. d6 f4")
    assert (await moderate(meg, "clear_study", study=study))["code"] == Code.NOTHING_TO_DO
    assert (await moderate(meg, "remove_study", study=study))["type"] == "done"
    assert (await ask(ann, "get_study", study=study))["code"] == Code.UNKNOWN_STUDY
    assert (await save_study(owner, study=study))["code"] == Code.UNKNOWN_STUDY
    assert (await moderate(meg, "remove_study", study=study))["code"] == Code.UNKNOWN_STUDY
    (removal, clearing) = (await ask(meg, "get_moderation_log"))["entries"][:2]
    assert (removal["study"], clearing["study"]) == (study, study)
    assert "Rude words" in clearing["detail"]


@pytest.mark.parametrize("action", ["clear_study", "remove_study"])
async def test_one_chapter_is_cleared_and_a_study_is_removed_with_all_chapters(
    served: Served, console: Console, action: str
) -> None:
    owner, meg = await register(served, "Rudolph"), await moderator(served, console)
    first = (await save_study(owner))["study"]
    second = (await save_study(owner, part_of=first, name="Rude name"))["study"]
    assert (await moderate(meg, action, study=second))["type"] == "done"
    read = await ask(meg, "get_study", study=first)
    if action == "remove_study":
        assert read["code"] == Code.UNKNOWN_STUDY
    else:
        assert (read["title"], [each["name"] for each in read["chapters"]]) == ("", ["", ""])
        assert (await save_study(owner, study=second, based_on_ms=read["updated_ms"]))["code"] == Code.STUDY_CHANGED


async def test_the_names_and_comments_of_an_import_are_removed(served: Served, console: Console) -> None:
    owner, ann, meg = await register(served, "Rudolph"), await served.visitor(), await moderator(served, console)
    text = '[White "Rude Name"]\n[Black "Other"]\n[Result "1-0"]\n\n1. d6 {Rude words} f4 (1... d2 {Rude line}) 1-0\n'
    fields = {"upload": "u", "part": 0, "parts": 1, "game": "morris", "text": text}
    (imported,) = (await ask(owner, "import_matches", **fields))["matches"]
    match = imported["match"]
    await ann.say("watch", match=match)
    await ann.hear_until("watching")
    assert (await ask(ann, "report", match=match, reason="name"))["type"] == "done"
    (case,) = await cases(meg)
    assert (case["player"]["name"], case["reports"][0]["text"]) == ("Rudolph", "Rude Name, Other")
    assert (await moderate(meg, "clear_import", match=match))["type"] == "done"
    assert (await ann.hear_until("renamed"))["player"]["name"] == "Player 1"
    exported = (await fetch(served, f"/match/{match}.json"))[2]
    assert "Player 1" in exported
    assert "Rude" not in exported
    assert (await moderate(meg, "clear_import", match=match))["code"] == Code.NOTHING_TO_DO
    played = str((await owner.ask("create", id="c", game="morris", seats=[ME, ME]))["match"])
    assert (await moderate(meg, "clear_import", match=played))["code"] == Code.UNKNOWN_MATCH


async def test_a_removed_name_is_replaced_everywhere_and_stays_reserved(served: Served, console: Console) -> None:
    rude, ann = await register(served, "Rudename"), await served.visitor()
    match = str((await rude.ask("create", id="c", game="morris", seats=[ME, OPEN]))["match"])
    for visitor in (rude, ann):
        await visitor.say("watch_chat", match=match)
        await visitor.hear_until("chat")
    await ann.ask("join", id="j", match=match)
    await ann.say("watch", match=match)
    await talk(rude, match, "hello")
    await console.do(ModerationAction.REMOVE_NAME, "Rudename", "An insult")
    name = (await ann.hear_until("renamed"))["player"]["name"]
    assert name.startswith("Player")
    assert (await history(ann, match))["lines"][0]["player"]["name"] == name
    assert (await talk(rude, match, "oh"))["type"] == "done"
    assert (await ann.hear_until("chat_line_added"))["line"]["player"]["name"] == name
    stranger = await served.visitor()
    assert (await ask(stranger, "register", name="Rudename", password=PASSWORD))["code"] == Code.NAME_TAKEN
    assert (await ask(ann, "sign_in", name=name, password=PASSWORD))["type"] == "signed_in"


async def test_a_player_whose_name_was_removed_chooses_another_once(served: Served, console: Console) -> None:
    rude, ann = await register(served, "Rudename"), await register(served, "Annabel")
    match = str((await rude.ask("create", id="c", game="morris", seats=[ME, OPEN]))["match"])
    await ann.say("watch", match=match)
    assert (await ask(rude, "choose_name", name="Gentle"))["code"] == Code.NOTHING_TO_DO
    await console.do(ModerationAction.REMOVE_NAME, "Rudename", "An insult")
    assert (await rude.hear_until("your_restrictions"))["name_removed"] is True
    await ann.hear_until("renamed")
    again = await served.visitor(rude.token)
    assert (await again.hear_until("your_restrictions"))["name_removed"] is True
    for name, code in (("Rudename", Code.NAME_TAKEN), ("Annabe1", Code.NAME_TAKEN), ("Admin7", Code.BAD_NAME)):
        assert (await ask(rude, "choose_name", name=name))["code"] == code
    assert (await ask(rude, "choose_name", name="Gentle"))["type"] == "done"
    assert (await again.hear_until("your_restrictions"))["name_removed"] is False
    assert (await ann.hear_until("renamed"))["player"]["name"] == "Gentle"
    assert (await ask(ann, "get_profile", name="Gentle"))["status"]["player"]["id"] == rude.player["id"]
    assert (await ask(rude, "choose_name", name="Gentler"))["code"] == Code.NOTHING_TO_DO

"""Matches on this device stay in the browser's database when the protocol changes or another player signs in."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser.accounts import new_name, register
from tests.browser.visitor import Visit, Visitor

STORED = Path(__file__).parent / "stored" / "device_match_1.json"
"""A match against a bot with a move taken back, as the first release with format 1 keeps it. It must never change."""
STORED_MOVES = ["d6", "e3", "d2", "b6", "f2", "d3", "e4"]

_SEED_SCRIPT = """([matches, version]) => new Promise((resolve) => {
  const opening = indexedDB.open("millrace", version ?? undefined);
  opening.onupgradeneeded = () => {
    for (const kind of ["answers", "puzzles", "matches"]) {
      opening.result.createObjectStore(kind, { keyPath: "key" }).createIndex("at_ms", "at_ms");
    }
  };
  opening.onsuccess = () => {
    const writing = opening.result.transaction("matches", "readwrite");
    for (const match of matches) writing.objectStore("matches").put(match);
    writing.oncomplete = () => { opening.result.close(); resolve(); };
  };
})"""
_KEPT_SCRIPT = """() => new Promise((resolve) => {
  const opening = indexedDB.open("millrace");
  opening.onsuccess = () => {
    const asking = opening.result.transaction("matches").objectStore("matches").getAllKeys();
    asking.onsuccess = () => { opening.result.close(); resolve(asking.result); };
  };
})"""
_ARCHIVED_SCRIPT = """(key) => new Promise((resolve) => {
  const opening = indexedDB.open("millrace");
  opening.onsuccess = () => {
    const asking = opening.result.transaction("matches").objectStore("matches").get(key);
    asking.onsuccess = () => { opening.result.close(); resolve(asking.result.archived); };
  };
})"""
_TABS_SCRIPT = """async () => {
  const main = document.querySelector('script[src$="/main.bundle.js"]').src;
  const { DeviceStore } = await import(new URL("offline/device_store.js", main));
  const [one, other] = [new DeviceStore(), new DeviceStore()];
  const key = "device-tabs";
  const match = (seq) => ({ key, at_ms: 1, game: "morris", players: [], messages: [{ seq }] });
  const outcomes = [await one.keepMatch(match(4), 0), await one.keepMatch(match(5), 4)];
  return [...outcomes, await other.keepMatch(match(6), 4), (await other.get("matches", key)).messages[0].seq];
}"""
_REFUSE_SCRIPT = "indexedDB.open = () => { throw new DOMException('Access is denied.', 'SecurityError'); };"


def match_of(key: str, name: str, *, registered: bool = False, form: int = 1) -> dict[str, Any]:
    """Return a match against a bot as this release keeps it."""
    players = [
        {"id": name, "name": name, "registered": registered, "bot": False, "level": None},
        {"id": "bot-1", "name": "Bot, level 1", "registered": False, "bot": False, "level": 1},
    ]
    return {"key": key, "at_ms": 1, "game": "morris", "players": players, "messages": [], "format": form}


def seeded(visit: Visit, *matches: dict[str, Any]) -> Visitor:
    """Return a visitor whose browser keeps some matches, from when the protocol had version 1."""
    person = visit()
    person.page.goto(f"{person.server.url}/health")
    person.page.evaluate(_SEED_SCRIPT, [matches, 1])
    return person


def wait_for_kept(person: Visitor, *keys: str) -> None:
    person.wait_until(lambda: person.page.evaluate(_KEPT_SCRIPT) == [*keys])


def test_matches_on_the_device_survive_other_versions_and_players_who_do_not_see_each_others(visit: Visit) -> None:
    person = seeded(
        visit, match_of("device-1", "Fox"), match_of("device-2", "Heron", registered=True), match_of("served", "Fox")
    )
    for _ in range(2):
        person.open("/offline")
        expect(person.page.get_by_role("link", name=re.compile("Fox"))).to_have_attribute("href", "/match/device-1")
        expect(person.page.get_by_text("Heron")).to_have_count(0)
        wait_for_kept(person, "device-1", "device-2")
        person.page.evaluate("localStorage.clear()")  # so that the next visitor is another guest


def test_a_match_that_a_later_release_has_kept_is_named_and_stays_until_it_is_deleted(visit: Visit) -> None:
    person = seeded(visit, match_of("device-1", "Fox", form=1_000))
    person.open("/offline")
    expect(person.page.get_by_text("a newer version of this page has saved this match")).to_be_visible()
    expect(person.page.get_by_role("link", name=re.compile("Fox"))).to_have_count(0)
    person.page.get_by_role("button", name=re.compile("Delete Fox")).click()
    wait_for_kept(person, "device-1")
    person.button("Delete this match").click()
    expect(person.page.get_by_text("a newer version of this page has saved this match")).to_have_count(0)
    wait_for_kept(person)


def test_of_two_tabs_the_second_to_continue_a_match_overwrites_nothing(visit: Visit) -> None:
    person = visit().open()
    outcomes = person.page.evaluate(_TABS_SCRIPT)
    assert outcomes == ["kept", "kept", "behind", 5]


def test_a_browser_that_refuses_storage_is_named_as_the_reason(visit: Visit) -> None:
    person = visit()
    person.page.add_init_script(_REFUSE_SCRIPT)
    person.open("/offline")
    expect(person.page.get_by_text("Your browser does not let this page save anything")).to_be_visible()


def test_a_match_of_the_first_format_is_shown_and_archived(visit: Visit) -> None:
    person, name = seeded(visit).open(), new_name()
    register(person, name)
    match = json.loads(STORED.read_text(encoding="utf-8"))
    match["players"][1]["id"] = person.ask("get_profile", name=name)["status"]["player"]["id"]
    person.page.evaluate(_SEED_SCRIPT, [[match], None])
    person.open(f"/match/{match['key']}")
    expect(person.moves).to_have_text(STORED_MOVES)
    person.wait_until(lambda: person.page.evaluate(_ARCHIVED_SCRIPT, match["key"]) != "")
    person.open(f"/match/{person.page.evaluate(_ARCHIVED_SCRIPT, match['key'])}")
    expect(person.moves).to_have_text(STORED_MOVES)
    expect(person.headline).to_have_text("Reed (bot, level 2) won")

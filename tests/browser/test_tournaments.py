"""An arena in the page: created, joined by two, played, berserk, a streak, the podium."""

import json
import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.accessibility import expect_accessible
from tests.browser.accounts import fill, member
from tests.browser.chat import lines, say, unfold
from tests.browser.moderators import moderator
from tests.browser.visitor import Visit, Visitor

ANY_TOURNAMENT = re.compile(r"/tournament/\w+$")
ANY_MATCH = re.compile(r"/match/\w+$")


def create(
    visitor: Visitor, name: str, minutes: int, wait: str, choices: Mapping[str, str] | None = None, **fields: str
) -> str:
    """Create an arena, and return its path; `choices` are made in lists, one after another."""
    visitor.open("/tournaments")
    page = visitor.page
    page.get_by_text("Create a tournament").click()
    page.locator("[name=name]").fill(name)
    page.locator("[name=minutes]").fill(str(minutes))
    page.locator("[name=wait]").select_option(label=wait)
    for field, label in (choices or {}).items():
        page.locator(f"[name={field}]").select_option(label=label)
    if fields:
        page.get_by_text("More options").click()
    for field, value in fields.items():
        page.locator(f"input[name={field}]").fill(value)
    visitor.button("Create").click()
    expect(page).to_have_url(ANY_TOURNAMENT)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page.url.removeprefix(visitor.server.url)


def row(visitor: Visitor, name: str) -> str:
    return f'.standings tr[data-player="{name}"]'


def test_an_arena_from_its_creation_to_the_podium(visit: Visit) -> None:
    (ann, ann_name), (ben, ben_name) = member(visit), member(visit, width=360)
    path = create(ann, "Quick evening", 2, "Now")
    for player, name in ((ann, ann_name), (ben, ben_name)):
        player.open(path)
        player.button("Join").click()
        expect(player.page.locator(row(player, name)).or_(player.page.locator(".match-page .board"))).to_be_visible()
    for wins in (1, 2):
        for player in (ann, ben):
            expect(player.page).to_have_url(ANY_MATCH)
        if wins == 1:
            ann.button("Berserk: half your time, for one more point").click()
            ben.expect_told("goes berserk")
            expect(ann.button("Berserk: half your time, for one more point")).to_have_count(0)
        ben.resign()
        for player in (ann, ben):
            player.page.get_by_role("link", name="To the tournament").click()
            expect(player.page).to_have_url(ANY_TOURNAMENT)
    guest = visit().open(path)
    expect(guest.page.locator(f"{row(guest, ann_name)} .flame")).to_be_visible()
    expect(guest.page.locator(f"{row(guest, ann_name)} .strong")).to_have_text("4")
    expect(guest.page.locator(".leaders-boards")).to_be_visible()
    guest.page.locator(f"{row(guest, ann_name)} .score-button").click()
    matches = guest.page.get_by_role("region", name=f"Matches of {ann_name}")
    expect(matches.locator("tbody tr")).to_have_count(2)
    expect(matches.locator("tbody tr").first).to_contain_text(ben_name)
    expect(matches.get_by_role("link", name="1 \N{EN DASH} 0").first).to_have_attribute("href", ANY_MATCH)
    expect(guest.page.locator(".podium")).to_be_visible(timeout=180_000)  # it lasts two minutes
    expect(guest.page.locator(".podium .place-1")).to_contain_text(ann_name)
    expect(guest.page.locator(".podium .place-2")).to_contain_text(ben_name)
    expect(guest.page.locator(".confetti")).to_be_hidden()
    expect_accessible(guest)


def test_an_arena_of_four_seats_is_created_and_played(visit: Visit) -> None:
    players = [member(visit, width=width) for width in (1280, 1280, 360, 360)]
    (ann, _), *_ = players
    choices = {"game": "Battle Sheep", "seats": "4"}
    path = create(ann, "Four at a table", 60, "Now", choices)
    here = {"tournament": path.removeprefix("/tournament/")}
    for player, _ in players:
        player.ask("join_tournament", **here)
    for player, _ in players:
        player.open(path)
    expect(ann.page.locator(".tournament-page .about").first).to_contain_text("tables of 4, 60 minutes")
    for player, _ in players:
        expect(player.page).to_have_url(ANY_MATCH, timeout=60_000)  # after the pause
    guest = visit().open(path)
    table = guest.page.locator(".round-tables tr")
    names = table.locator("li").all_inner_texts()
    assert sorted(names) == sorted(name for _, name in players)
    seated = sorted(players, key=lambda player: names.index(player[1]))
    for player, _ in seated[:3]:
        player.resign()
        player.ask("leave_tournament", **here)
    winner, winner_name = seated[3]
    winner.page.get_by_role("link", name="To the tournament").click()
    expect(guest.page.locator(f"{row(guest, winner_name)} .strong")).to_have_text("4")
    expect(table.locator("li").last).to_have_text(f"{winner_name} 4")
    expect(guest.page.get_by_role("columnheader", name="Diff.")).to_be_visible()
    expect_accessible(winner)
    for each, _ in seated:
        each.open(path).expect_no_overflow()
    expect_accessible(guest)


def test_only_games_for_more_can_have_tables_of_more(visit: Visit) -> None:
    ann, _ = member(visit)
    ann.open("/tournaments")
    page = ann.page
    page.get_by_text("Create a tournament").click()
    page.get_by_text("More options").click()
    seats, duplicate, berserk = (page.locator(f"[name={name}]") for name in ("seats", "duplicate", "berserk"))
    expect(seats.locator("option:enabled")).to_have_text(["2"])
    page.locator("[name=game]").select_option(label="Battle Sheep")
    expect(seats.locator("option:enabled")).to_have_text(["2", "3", "4"])
    expect(duplicate).to_be_hidden()
    seats.select_option(label="3")
    expect(duplicate).to_be_visible()
    expect(berserk).to_be_hidden()
    expect_accessible(ann)
    page.locator("[name=game]").select_option(label="Ming Mang")
    expect(seats).to_have_value("2")
    expect(berserk).to_be_visible()
    page.locator("[name=kind]").select_option(label="Swiss")
    expect(seats).to_be_hidden()


@pytest.mark.slow
def test_an_arena_that_is_planned_can_be_joined_and_left(visit: Visit) -> None:
    ann, name = member(visit)
    path = create(ann, "Later on", 60, "In 1 hour", description="With tea.")
    ann.button("Join").click()
    expect(ann.page.locator(row(ann, name))).to_be_visible()
    expect_accessible(ann)
    ann.button("Withdraw").click()
    expect(ann.page.locator(row(ann, name))).to_have_count(0)
    guest = visit().open("/tournaments")
    entry = guest.page.locator(f'a[href="{path}"]')
    expect(entry).to_contain_text("Later on")
    expect(entry).to_contain_text("60 minutes")
    day = guest.page.locator("section").filter(has=entry)
    expect(day.get_by_role("heading")).to_have_text(re.compile(r"^(Today|Tomorrow), \w+day, "))
    expect_accessible(guest)
    entry.click()
    expect(guest.page.get_by_text("You need an account to join.")).to_be_visible()
    guest.expect_no_overflow()


@pytest.mark.slow
def test_a_private_arena_asks_for_its_password(visit: Visit) -> None:
    (ann, _), (ben, name) = member(visit), member(visit)
    path = create(ann, "Among friends", 60, "In 1 hour", password="abracadabra")
    ben.open(path)
    ben.page.locator("[name=password]").fill("sesame")
    ben.button("Join").click()
    ben.expect_told("The password of this tournament is different.")
    ben.page.locator("[name=password]").fill("abracadabra")
    ben.button("Join").click()
    expect(ben.page.locator(row(ben, name))).to_be_visible()


@pytest.mark.slow
def test_a_player_who_waits_in_an_arena_may_play_a_bot_meanwhile(visit: Visit) -> None:
    (ann, _), (ben, _) = member(visit), member(visit)
    path = create(ann, "Odd one out", 60, "Now")
    ann.button("Join").click()
    ann.button("Play a bot meanwhile, unrated").click()
    expect(ann.page).to_have_url(ANY_MATCH)
    expect(ann.page.locator(".match-page")).to_contain_text("3+2")
    ben.open(path)
    ben.button("Join").click()
    ann.page.locator(".banner").get_by_role("link", name="To the board").click()
    expect(ann.page.get_by_role("link", name="To the tournament")).to_be_visible()


@pytest.mark.slow
def test_a_moderator_disqualifies_a_player(visit: Visit) -> None:
    ann, name = member(visit)
    path = create(ann, "In order", 60, "In 1 hour")
    ann.button("Join").click()
    meg = moderator(visit, "Marguerite").open(path)
    meg.page.get_by_text("Disqualify a player").click()
    expect_accessible(meg)
    fill(meg, "Disqualify a player", player=name)
    meg.expect_told(f"{name} is disqualified.")
    expect(meg.page.locator(row(meg, name))).to_contain_text("disqualified")
    expect(ann.button("Withdraw")).to_have_count(0)
    expect(ann.page.get_by_text("Disqualify a player")).to_be_hidden()


@pytest.mark.slow
def test_a_bad_plan_is_explained(visit: Visit) -> None:
    ann, _ = member(visit)
    ann.open("/tournaments")
    ann.page.get_by_text("Create a tournament").click()
    ann.page.locator("[name=name]").fill("Too long")
    ann.page.locator("[name=minutes]").fill("720")
    ann.page.locator("[name=clock]").select_option(label="1+0")
    ann.button("Create").click()
    ann.expect_told("That is too long for this clock; choose fewer minutes.")


def test_an_unknown_tournament_is_explained(visit: Visit) -> None:
    visitor = visit().open("/tournament/none")
    expect(visitor.page.get_by_text("There is no such tournament.")).to_be_visible()


def test_a_profile_shows_trophies_that_lead_to_their_tournaments(visit: Visit) -> None:
    trophy = {"tournament": "t1", "name": "Daily arena", "game": "morris", "place": 2, "players": 14, "at_ms": 0}

    def add_trophies(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(text: str | bytes) -> None:
            frame = json.loads(text)
            is_profile = frame["type"] == "profile"
            socket.send(json.dumps(frame | {"trophies": [trophy]}) if is_profile else text)

        socket.on_message(server.send)
        server.on_message(forward)

    visitor = visit(width=360)
    visitor.page.route_web_socket(lambda _: True, add_trophies)
    visitor.open("/player/bot-3")
    trophies = visitor.page.get_by_role("region", name="Trophies")
    expect(trophies.get_by_role("listitem")).to_contain_text("Place 2 of 14")
    expect(trophies.get_by_role("link", name="Daily arena")).to_have_attribute("href", "/tournament/t1")
    visitor.expect_no_overflow()
    expect_accessible(visitor)


def test_entrants_and_spectators_chat_and_a_moderator_finds_the_reported_line(visit: Visit) -> None:
    (ann, ann_name), (ben, ben_name) = member(visit), member(visit, width=360)
    path = create(ann, "Talkative evening", 60, "In 1 hour")
    ben.open(path)
    guest = visit().open(path)
    unfold(guest)
    expect(guest.page.locator(".chat-silenced")).to_contain_text("You need an account")
    expect(guest.page.locator(".chat-form")).to_be_hidden()
    say(ann, "Good luck!")
    say(ben, "You play like a beginner.")
    expect(lines(guest)).to_have_text(["Good luck!", "You play like a beginner."])
    expect(guest.page.locator(".chat-room")).to_have_count(0)
    expect_accessible(guest)
    ann.button(f"Mute or report {ben_name}").click()
    ann.button("Report").click()
    ann.expect_told("Report sent.")
    meg = moderator(visit, "Margaretha")
    case = meg.page.get_by_role("article", name=f"Reports about {ben_name}")
    expect(case.locator(".case-text")).to_have_text("You play like a beginner.")
    expect(case.get_by_role("link", name="Tournament")).to_have_attribute("href", path)
    case.get_by_role("button", name="Show context").click()
    expect(case.locator(".context-lines li")).to_contain_text([ann_name, ben_name])
    ben.expect_no_overflow()

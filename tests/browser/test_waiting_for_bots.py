"""The page while the server's bots cannot move: the match and the start page say why."""

import json

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.visitor import Visit

STARTING = "The bots are still starting. Levels 1 to 3 play first, the others as soon as they are ready."
BOT_MOVED = '"type":"moved","seat":1'
UNAVAILABLE = "The bots cannot start right now. Millrace keeps trying; people can play each other."


class SilentBots:
    """Between a page and the server: no move of the bot in the second seat arrives, and the test says what the server
    says of its bots. The person begins, so that no snapshot, which must arrive, has a move of the bot already."""

    def __init__(self) -> None:
        self.pages: list[WebSocketRoute] = []

    def route(self, page: WebSocketRoute) -> None:
        self.pages.append(page)
        server = page.connect_to_server()
        page.on_message(server.send)
        server.on_message(lambda message: None if BOT_MOVED in str(message) else page.send(message))

    def say(self, explanation: str, *waiting: str) -> None:
        news = {"waiting": waiting, "is_starting": explanation == STARTING, "explanation": explanation}
        self.pages[-1].send(json.dumps({"type": "bot_availability", **news}))


def test_the_start_page_offers_bots_only_while_they_can_start(visit: Visit) -> None:
    person, bots = visit(), SilentBots()
    person.page.route_web_socket("**/socket", bots.route)
    person.open()
    cards, play = person.page.locator(".bot-card"), person.page.locator(".play-now")
    expect(play).to_be_enabled()
    bots.say(STARTING, "morris")
    expect(cards.first).to_be_visible()
    bots.say(UNAVAILABLE, "morris")
    expect(cards.first).to_be_hidden()
    expect(play).to_be_disabled()
    expect(person.page.locator(".for-bot .bot-obstacle")).to_have_text(UNAVAILABLE)
    expect(person.page.locator("#play-opponent")).to_have_text(UNAVAILABLE)
    person.page.locator(".game-card").nth(1).click()
    expect(cards.first).to_be_visible()
    expect(play).to_be_enabled()
    bots.say("")
    person.page.locator(".game-card").first.click()
    expect(cards.first).to_be_visible()


def test_a_match_says_why_its_bot_does_not_move(visit: Visit) -> None:
    person, bots = visit(), SilentBots()
    person.page.route_web_socket("**/socket", bots.route)
    person.open(person.create(seats=[{"occupant": "me"}, {"occupant": "bot", "level": 1}]))
    person.play("a7")
    detail = person.page.locator(".status-panel .detail")
    expect(person.headline).to_contain_text("Waiting for")
    expect(detail).not_to_contain_text("bots")
    bots.say(STARTING, "morris")
    expect(detail).to_have_text(STARTING)
    bots.say(UNAVAILABLE, "morris")
    expect(detail).to_have_text(UNAVAILABLE)
    bots.say(UNAVAILABLE, "mingmang")
    expect(detail).not_to_contain_text("bots")

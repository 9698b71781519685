"""A match whose chat two players and a spectator follow."""

from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.web.two_players import begin_unwatched as begin_match

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}


async def begin(served: Served) -> tuple[Visitor, Visitor, Visitor, str]:
    """Return two players and a spectator who receive the chat of a match."""
    ann, ben, eve = [await served.visitor() for _ in range(3)]
    match = await begin_match(ann, ben)
    for visitor in (ann, ben, eve):
        await visitor.say("watch_chat", match=match)
        await visitor.hear_until("chat")
    return ann, ben, eve, match


async def talk(visitor: Visitor, match: str, text: str, id_: str = "") -> Frame:
    """Say something and return the answer."""
    id_ = id_ or f"say-{len(visitor.read)}"
    await visitor.say("say", id=id_, match=match, text=text)
    return await answer_of(visitor, id_)


async def answer_of(visitor: Visitor, id_: str) -> Frame:
    while True:
        frame = await visitor.hear()
        if frame["type"] in ("done", "refused") and frame["id"] == id_:
            return frame


async def history(visitor: Visitor, match: str) -> Frame:
    await visitor.say("watch_chat", match=match)
    return await visitor.hear_until("chat")


def texts(chat: Frame) -> list[str]:
    return [line["text"] for line in chat["lines"]]

"""Searches of the archive over a bare socket."""

from tests.server.in_process_server import Frame, Visitor


async def search(visitor: Visitor, **fields: object) -> Frame:
    """Return the answer to a search."""
    await visitor.say("search_matches", id=f"s-{len(visitor.read)}", **fields)
    while True:
        frame = await visitor.hear()
        if frame["type"] in ("found_matches", "refused"):
            return frame


def ids(answer: Frame) -> list[str]:
    return [match["match"] for match in answer["matches"]]

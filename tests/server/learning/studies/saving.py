"""Saving studies by bare frames."""

from typing import Any

from tests.server.in_process_server import Frame, Visitor
from tests.server.players.accounts.registered_players import ask

TEXT = "{from the start} 1. d6 $1 {[%csl Gd6] the strongest point} f4 (1... a7 $2 {[%cal Ra7-d6]} 2. d2 (2. b4)) 2. d2"


async def save(visitor: Visitor, text: str = TEXT, *, part_length: int = 40, **fields: Any) -> Frame:
    """Save a text in parts of some characters."""
    texts = [text[begin : begin + part_length] for begin in range(0, len(text), part_length)] or [""]
    answer: Frame = {}
    for part, each in enumerate(texts):
        upload = {"upload": "u", "part": part, "parts": len(texts), "text": each}
        answer = await ask(visitor, "save_study", **{"game": "morris", **upload, **fields})
        if answer["type"] == "refused":
            return answer
    return answer

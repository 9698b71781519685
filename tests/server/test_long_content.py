"""The longest content that players can send, in the way of other players: no step holds the event loop for long.

`tests/loop_steps.py` watches every step of this server, as of those of all other tests.
"""

import random

import pytest

from millrace.engine.games import find_game
from millrace.engine.state import State
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.players.accounts.registered_players import ask
from tests.server.web.get_requests import get


def long_play(plies: int) -> State:
    """Return the state after this many random plies of Ming Mang, or the end if that comes first."""
    chance, state = random.Random(5), State.of(find_game("mingmang"))
    while state.outcome is None and state.ply < plies:
        state = state.play(chance.choice(state.legal_moves))
    return state


async def upload(visitor: Visitor, type_: str, text: str, length: int, **fields: object) -> Frame:
    """Send a text in parts of some characters, and return the last answer."""
    texts = [text[begin : begin + length] for begin in range(0, len(text), length)]
    answer: Frame = {}
    for part, each in enumerate(texts):
        answer = await ask(visitor, type_, upload="u", part=part, parts=len(texts), text=each, **fields)
    return answer


@pytest.fixture(scope="module")
def long_match() -> str:
    """The moves of a match of more than a thousand plies, as text."""
    return " ".join(long_play(4_000).move_texts)


async def test_a_long_match_is_imported_exported_and_watched(served: Served, long_match: str) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    text = f'[Game "mingmang"]\n[White "Ann"]\n[Black "Ben"]\n\n{long_match}\n'
    (imported,) = (await upload(ann, "import_matches", text, 7_000))["matches"]
    match, plies = imported["match"], imported["plies"]
    assert plies > 1_000
    for form in ("txt", "json"):
        assert (await get(served, f"/match/{match}.{form}"))[0] == 200
    await ben.say("watch", match=match)
    assert len((await ben.hear_until("match_events"))["events"]) > plies
    assert (await get(served, f"/match/{match}/position.txt"))[0] == 200
    assert (await get(served, f"/picture/match/{match}.svg"))[0] == 200
    explored = await ask(ben, "explore", line={"match": match, "ply": plies})
    assert explored["ply"] == plies


async def test_a_study_of_the_greatest_length_is_saved_read_and_followed(served: Served, long_match: str) -> None:
    ann = await served.visitor()
    moves = long_match.split()[:1_000]
    remark = "a remark of some length on this move"
    text = " ".join(f"{move} {{{remark}}}" if number % 2 else move for number, move in enumerate(moves))
    saved = await upload(ann, "save_study", text, 4_000, game="mingmang", title="Long")
    assert saved["type"] == "study_saved"
    assert (await ask(ann, "get_study", study=saved["study"]))["text"].count(remark) == 500
    readers = [await served.visitor() for _ in range(5)]
    for reader in readers:
        await reader.say("watch_study", study=saved["study"])
        await reader.hear_until("study_news")
    fields = {"study": saved["study"], "based_on_ms": saved["updated_ms"], "game": "mingmang"}
    await upload(ann, "save_study", text.replace(remark, remark.upper()), 4_000, **fields)
    for reader in readers:
        while (await reader.hear_until("study_news"))["text"].count(remark.upper()) != 500:
            pass

"""Boards of Nine Men's Morris with men placed at random."""

from hypothesis import strategies as st

from millrace.engine.games import find_game
from millrace.engine.state import State

GAME = find_game("morris")


@st.composite
def strewn_boards(draw: st.DrawFn) -> State:
    """A position with randomly placed men, in any phase."""
    points = draw(st.permutations(range(24)))
    white, black = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    text = ["."] * 24
    for point in points[:white]:
        text[point] = "W"
    for point in points[white : white + black]:
        text[point] = "B"
    hands = draw(st.sampled_from(["0 0", "1 1", "4 5", "0 0"])) if max(white, black) <= 4 else "0 0"
    return State.of(GAME, f"{''.join(text)} {'w' if hands != '4 5' else 'b'} {hands}")

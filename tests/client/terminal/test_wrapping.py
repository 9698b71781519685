"""Lines of text, wrapped for a width."""

from hypothesis import given
from hypothesis import strategies as st

from millrace.client.terminal.wrapping import wrap_lines

WORDS = st.lists(st.text("abx-:17", min_size=1, max_size=12), min_size=1, max_size=30)


@given(st.lists(WORDS, min_size=1, max_size=5), st.integers(8, 100), st.integers(0, 4))
def test_no_word_is_broken_and_no_line_with_a_space_is_too_long(
    lines: list[list[str]], width: int, hanging: int
) -> None:
    wrapped = wrap_lines("\n".join(" ".join(words) for words in lines), width, hanging)
    assert " ".join(wrapped).split() == [word for words in lines for word in words]
    assert all(len(line) <= width or " " not in line.strip() for line in wrapped)


def test_continued_lines_are_indented_and_short_ones_stay_as_they_are() -> None:
    table = "  1  morris   untimed\n  2  mingmang 5+3, limit 30 min"
    assert wrap_lines(table, 24) == ["  1  morris   untimed", "  2  mingmang 5+3, limit", "    30 min"]
    assert wrap_lines(table, None) == table.splitlines()


def test_a_move_stays_with_its_number() -> None:
    plies = "  ".join(f"{ply}. a{ply}-b{ply}" for ply in range(1, 40))
    for width in range(16, 60):
        wrapped = wrap_lines(plies, width, 0)
        assert not any(line.endswith(".") for line in wrapped)
        assert all(len(line) <= width for line in wrapped)

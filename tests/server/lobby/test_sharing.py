"""A short list is shared between addresses, and an address's part between its players."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from millrace.server.lobby.seek_index import in_turns

Entry = tuple[str, str, int]

entries = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=40).map(
    lambda owners: [(address, address + player, number) for number, (address, player) in enumerate(owners)]
)


def share(listed: list[Entry], most: int) -> list[Entry]:
    """Return at most some entries, shared out as the list of seeks is, in their order."""
    addresses: dict[str, dict[str, list[Entry]]] = {}
    for entry in listed:
        addresses.setdefault(entry[0], {}).setdefault(entry[1], []).append(entry)
    shared = in_turns(in_turns(players.values()) for players in addresses.values())
    return sorted(islice(shared, most), key=listed.index)


def test_an_entry_of_another_address_is_shown_among_any_number() -> None:
    flood: list[Entry] = [("a", f"a{number % 60}", number) for number in range(300)]
    for place in (0, 150, 300):
        honest = ("b", "b1", 999)
        listed = [*flood[:place], honest, *flood[place:]]
        assert honest in share(listed, 50)


@given(entries, st.integers(0, 45))
def test_the_list_has_its_maximum_length_and_keeps_its_order(listed: list[Entry], most: int) -> None:
    shown = share(listed, most)
    assert len(shown) == min(most, len(listed))
    assert [entry[2] for entry in shown] == sorted(entry[2] for entry in shown)


@given(entries, st.integers(1, 45))
def test_no_address_has_two_entries_more_than_one_with_entries_left(listed: list[Entry], most: int) -> None:
    shown = share(listed, most)
    left = [entry for entry in listed if entry not in shown]
    for short in {entry[0] for entry in left}:
        number = sum(entry[0] == short for entry in shown)
        assert all(sum(entry[0] == address for entry in shown) <= number + 1 for address in "abc")


@given(entries, st.integers(1, 45))
def test_players_of_an_address_share_its_part_and_give_their_first_entries(listed: list[Entry], most: int) -> None:
    shown = share(listed, most)
    for player in {entry[1] for entry in listed}:
        own, shown_of_own = ([entry for entry in some if entry[1] == player] for some in (listed, shown))
        assert shown_of_own == own[: len(shown_of_own)]
        if len(shown_of_own) < len(own):
            others = {entry[1] for entry in listed if entry[0] == player[0]}
            assert all(sum(entry[1] == other for entry in shown) <= len(shown_of_own) + 1 for other in others)

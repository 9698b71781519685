"""Which names are allowed, and which look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol.refusal import Refusal
from millrace.server.callers.names import (
    ADJECTIVES,
    DECORATIONS,
    NOUNS,
    OFFICES,
    STAFF,
    STAFF_WORDS,
    check_name,
    skeleton_of,
)

ALLOWED = [
    *("Ann", "bea-trix", "C3PO", "Dora_2", "x_1_y", "Bottega", "Abbot", "Modest", "Whitehall", "a" * 20),
    *("Badminton", "Stafford", "Flagstaff", "Robot_Fan", "Modi", "MODI", "Model", "Nomads", "Moderato", "Roots"),
    *("Helper", "Supporter", "Teamwork", "Team_Blue", "Systematic", "Headmaster", "Rooter"),
]

REFUSED = {
    "Al": "3 to 20",
    "a" * 21: "3 to 20",
    "": "3 to 20",
    "Ann Bee": "letters a to z",
    "Änne": "letters a to z",
    "Аnn": "letters a to z",  # noqa: RUF001  # a Cyrillic A, which is the point
    "ann\n": "letters a to z",
    "<b>ann": "letters a to z",
    "1ann": "begin with a letter",
    "-ann": "begin with a letter",
    "_ann": "begin with a letter",
    "ann-": "must be single",
    "ann--b": "must be single",
    "ann-_b": "must be single",
}

RESERVED = [
    *("admin", "Admin", "ADMIN-2", "adm1n", "Administrator", "moderator", "m0derator", "millrace", "rni11race"),
    *("bot", "Bot-3", "bot_12", "b0t", "botlevel5", "guest", "Guest-7", "deleted", "Deleted_player", "nobody"),
    *("support", "help", "you", "system", "white", "B1ack", "QuietOtter", "quiet-otter", "root", "null"),
    *("TheAdmin", "Moderation", "HelpDesk1", "Staff1", "StaffI", "B0tLevel8", "console", "M0d3rat0r", "Anna_Mod"),
    *(
        "xX_Admin_Xx",
        "NotAdmin",
        "Site_Owner",
        "SupportTeam",
        "Bob_4dm1n",
        "T3am-1",
        "AnnaHelpDesk",
        "AnnaSTAFF",
        "ANNAMod",
        "Anna5M0D",
    ),
    *("annaadmin", "Webadm1n", "ChatMod", "chatmod", "SystemMessage", "ServerInfo", "ServiceDesk", "HelpCenter"),
    *("CustomerService", "Verified", "DevTeam", "FairPlayTeam", "AntiCheat", "Announcements", "TrustAndSafety"),
    *("ContactUs", "Moderador", "Verwaltung"),
]

LOOKS = {"a": "4", "e": "3", "i": "1lI", "l": "1I", "m": ("rn",), "o": "0", "s": "5", "t": "7", "w": ("vv",)}
"""Other spellings of a letter."""

LOOK_ALIKE = [
    ("Ann", "ann"),
    ("Bob0", "BobO"),
    ("Lily", "L1ly"),
    ("Lily", "Lliy"),
    ("Carla", "CarIa"),
    ("Corn", "Com"),
    ("Vivian", "Viv-ian"),
    ("Otto", "0tto"),
    ("vvanda", "wanda"),
    ("modern", "modem"),
    ("a_b-c", "abc"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_a_plain_name_is_allowed(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(Refusal, match=REFUSED[name]):
        check_name(name)


@pytest.mark.parametrize("name", RESERVED)
def test_a_name_that_looks_official_is_reserved(name: str) -> None:
    with pytest.raises(Refusal, match=r"reserved|begins|letters"):
        check_name(name)


@st.composite
def spellings(draw: st.DrawFn, words: st.SearchStrategy[str]) -> str:
    """A word with some letters replaced by what looks like them."""
    letters = [draw(st.sampled_from([letter, letter, *LOOKS.get(letter, "")])) for letter in draw(words)]
    return draw(st.sampled_from([str.lower, str.capitalize, str.upper]))("".join(letters))


@given(
    spellings(st.sampled_from(["", *DECORATIONS])),
    spellings(st.sampled_from([*STAFF, *STAFF_WORDS, *OFFICES])),
    spellings(st.sampled_from(["", *DECORATIONS])),
    st.sampled_from(["", "-", "_"]),
    st.sampled_from(["", "1", "-20", "007"]),
)
def test_a_name_made_of_an_office_and_decorations_is_refused(
    before: str, office: str, after: str, between: str, number: str
) -> None:
    name = between.join(filter(None, (before, office, after))) + number
    with pytest.raises(Refusal):
        check_name(name)


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=5), spellings(st.sampled_from(STAFF_WORDS)))
def test_a_word_of_staff_is_refused_beside_a_name_and_allowed_within_one(name: str, word: str) -> None:
    with pytest.raises(Refusal):
        check_name(f"{name}_{word}")
    check_name(f"q{name}q{word.lower()}q")


def test_the_names_of_games_are_reserved() -> None:
    for name in ("NineMensMorris", "nine-mens-morris", "N1neMensMorris"):
        check_name(name)
        with pytest.raises(Refusal, match="reserved"):
            check_name(name, ["Nine Men's Morris"])


@pytest.mark.parametrize(
    "name", ["Hunter", "TheHunter", "the-hunter", "Hunter-Bot", "BotHunter", "The_Hunter_B0t", "HUNTER"]
)
def test_a_name_that_differs_from_a_bots_by_an_article_or_the_word_bot_is_reserved(name: str) -> None:
    check_name(name)
    for title in ("The Hunter", "Hunter"):
        with pytest.raises(Refusal, match="reserved"):
            check_name(name, [title])


@pytest.mark.parametrize("name", ["Huntress", "Hunters", "Hunter7", "Theo", "Thea", "Bothe", "NightHunter"])
def test_a_name_that_only_begins_or_ends_like_a_bots_is_allowed(name: str) -> None:
    check_name(name, ["The Hunter"])


@pytest.mark.parametrize(("one", "other"), LOOK_ALIKE)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton_of(one) == skeleton_of(other)


def test_different_names_have_different_skeletons() -> None:
    names = ["Ann", "Anna", "Hanna", "Bob", "Rob", "Robin5", "Robin6", "Norm", "Nora"]
    assert len({skeleton_of(name) for name in names}) == len(names)


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{2,19}", fullmatch=True))
def test_a_skeleton_is_stable_and_ignores_case_and_punctuation(name: str) -> None:
    skeleton = skeleton_of(name)
    assert skeleton_of(skeleton) == skeleton == skeleton_of(name.swapcase())
    assert skeleton == skeleton_of("-".join(name)) == skeleton_of(name.replace("_", "-"))


@given(st.text(max_size=30))
def test_accepted_names_are_plain_ascii_of_bounded_length(name: str) -> None:
    try:
        check_name(name)
    except Refusal:
        pass
    else:
        assert name.isascii()
        assert 3 <= len(name) <= 20
        assert name[0].isalpha()


@given(st.sampled_from(ADJECTIVES), st.sampled_from(NOUNS), st.sampled_from(["", "-", "_"]))
def test_no_account_can_have_a_guests_name(adjective: str, noun: str, between: str) -> None:
    with pytest.raises(Refusal):
        check_name(adjective + between + noun)

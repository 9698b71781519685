"""Account names: which are allowed, and which look alike. Pure.

Names that people would confuse have the same *skeleton*, and only one of them may exist. Names are ASCII, so letters of
other alphabets cannot imitate ours. The server's names for guests contain a space, so no account can have one.
"""

import re
from collections.abc import Iterable

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from .user_text import is_showable

SHORTEST, LONGEST = 3, 20

ADJECTIVES = (
    *("Amber", "Bold", "Brisk", "Calm", "Clever", "Copper", "Gentle", "Golden", "Hazel", "Ivory", "Jolly", "Keen"),
    *("Lively", "Lucky", "Mellow", "Merry", "Nimble", "Patient", "Quick", "Quiet", "Silver", "Steady", "Swift", "Wise"),
)
NOUNS = (
    *("Badger", "Beaver", "Crane", "Dipper", "Falcon", "Ferret", "Finch", "Fox", "Hare", "Heron", "Kestrel", "Lark"),
    *("Marten", "Miller", "Otter", "Owl", "Pike", "Raven", "Robin", "Salmon", "Sparrow", "Swan", "Trout", "Wren"),
)
"""A guest's name is an adjective and a noun."""

_RESERVED_BEGINNINGS = ("admin", "moderator", "millrace", "guest", "deleted", "official")
_RESERVED = (
    *("anonymous", "anon", "nobody", "somebody", "everyone", "everybody", "everything", "player", "opponent", "you"),
    *("yourself", "myself", "unknown", "undefined", "null", "none", "nil", "true", "false", "account", "accounts"),
    *("leaders", "settings", "signin", "signout", "register", "login", "logout", "draw", "winner", "spectator"),
    *("white", "black", "red", "green", "blue", "yellow", "bots", "computer", "engine", "info"),
)
STAFF = (
    *("administrator", "administration", "moderator", "moderation", "millrace", "helpdesk", "sysop", "sysadmin"),
    *("superuser", "webmaster", "postmaster", "gamemaster", "botlevel", "customerservice", "trustandsafety"),
    *("administrador", "administrateur", "moderador", "moderateur", "verwaltung"),
)
"""Words of the server and its staff, which no name contains."""
STAFF_WORDS = ("admin", "admins", "mod", "mods", "staff")
"""Words of staff that no name has as a word, though others begin or end so: `Badminton`, but not `AnnaAdmin`."""
OFFICES = (
    *("console", "support", "help", "security", "abuse", "contact", "system", "server", "root", "team", "owner"),
    *("operator", "referee", "arbiter", "official", "verified", "developer", "developers", "devteam", "fairplay"),
    *("anticheat", "announcement", "announcements", "servicedesk"),
)
"""Words that pass for the server or its staff if no other word of a name says who it is: `TheSupportTeam`."""
DECORATIONS = (
    *("the", "real", "mr", "mrs", "ms", "site", "game", "games", "chief", "head", "lead", "senior", "super", "main"),
    *("global", "member", "account", "desk", "agent", "service", "bot", "bots", "level", "user", "x", "web", "chat"),
    *("center", "centre", "info", "message", "messages", "us"),
)
"""Words that do not say who it is."""
_PUNCTUATION = re.compile(r"[-_ ]")
_LOOKS_LIKE = str.maketrans({"0": "o", "1": "l", "i": "l"})
_SPELLINGS = {
    **{"a": "[a4]", "b": "[b8]", "e": "[e3]", "g": "[g9]", "l": "[il1]", "o": "[o0]", "s": "[s5]", "t": "[t7]"},
    **{"m": "(?:m|rn)", "w": "(?:w|vv)"},
}
"""What is read as a letter of a skeleton."""
_NUMBER = "[0-9]|(?<=[a-z])[Il]+$"
"""A digit, or at the end what looks like one after a small letter: `StaffI`, but not `Modi`."""


LENGTH_TEXT = f"A name needs {SHORTEST} to {LONGEST} characters."


def skeleton_of(name: str) -> str:
    """Return a name without easily overlooked differences.

    >>> skeleton_of("Corn_Mill"), skeleton_of("C0m-miII")
    ('commlll', 'commlll')
    """
    bare = _PUNCTUATION.sub("", name.casefold()).translate(_LOOKS_LIKE)
    return bare.replace("rn", "m").replace("vv", "w")


def check_name(name: str, titles: Iterable[str] = ()) -> None:
    """Check an account name; `titles` are further reserved names, of games and bots. Raises: Refusal."""
    if not SHORTEST <= len(name) <= LONGEST:
        raise Refusal(Code.BAD_NAME, LENGTH_TEXT)
    if not is_showable(name):
        raise Refusal(Code.BAD_NAME, "The name has characters that cannot be shown; please remove them.")
    if re.fullmatch(r"[A-Za-z0-9_-]+", name) is None:
        raise Refusal(Code.BAD_NAME, "A name can contain only the letters a to z, digits, hyphens and underscores.")
    if not name[0].isalpha():
        raise Refusal(Code.BAD_NAME, "A name must begin with a letter.")
    if re.search(r"[-_]{2}", name) or not name[-1].isalnum():
        raise Refusal(Code.BAD_NAME, "Hyphens and underscores must be single, between letters or digits.")
    if _is_reserved(name, titles):
        raise Refusal(Code.BAD_NAME, "That name is reserved; please choose another.")


def _is_reserved(name: str, titles: Iterable[str]) -> bool:
    skeleton = skeleton_of(name)
    if skeleton in _RESERVED_SKELETONS or _passes_for_staff(name):
        return True
    if any(skeleton.startswith(skeleton_of(beginning)) for beginning in _RESERVED_BEGINNINGS):
        return True
    return _core_of(skeleton) in {_core_of(skeleton_of(re.sub(r"[^A-Za-z0-9]", "", title))) for title in titles}


def _passes_for_staff(name: str) -> bool:
    """Return whether a name seems to be of the server or its staff.

    >>> [_passes_for_staff(name) for name in ("The_Adm1n", "HelpDesk1", "AnnaMod", "Stafford", "Badminton")]
    [True, True, True, False, False]
    """
    if any(_STAFF_WORD.fullmatch(word) for part in re.split("[-_]", name) for word in (part, *_BETWEEN.split(part))):
        return True
    return bool(_OFFICIAL.fullmatch(_PUNCTUATION.sub("", name)))


def _spelled(words: Iterable[str]) -> str:
    """Return a pattern of every spelling of some words."""
    spellings = ("".join(_SPELLINGS.get(letter, letter) for letter in skeleton_of(word)) for word in words)
    return f"(?i:{'|'.join(spellings)})"


def _core_of(skeleton: str) -> str:
    """Return a skeleton without words that do not distinguish names: `TheHunter`, `Hunter`, `Hunter_bot`.

    >>> _core_of(skeleton_of("TheHunter")), _core_of(skeleton_of("Hunter-Bot")), _core_of(skeleton_of("Theo"))
    ('hunter', 'hunter', 'theo')
    """
    words = re.fullmatch(r"(?:bot)?(?:the)?(?:bot)?(?P<core>.{3,}?)(?:bot)?", skeleton)
    return skeleton if words is None else words["core"]


_BETWEEN = re.compile(r"(?<=[a-z])\d*(?=[A-HJ-Z])|(?<=[A-Z])(?=[A-HJ-Z][a-z0-9])")
"""Between the words of `AnnaAdmin` and of `ANNAAdmin`; a capital I may be read as a small l."""
_STAFF_WORD = re.compile(f"{_spelled(STAFF_WORDS)}(?:{_NUMBER})*")
_FILLER = f"(?:{_spelled(DECORATIONS)}|{_NUMBER})*"
_OFFICE = f"{_FILLER}(?:{_spelled((*STAFF_WORDS, *OFFICES))}{_FILLER})+"
_ADMINISTRATOR = f".*{_spelled(['admin', 'admins'])}(?:{_NUMBER})*"
_OFFICIAL = re.compile(f".*{_spelled(STAFF)}.*|{_ADMINISTRATOR}|{_OFFICE}|{_spelled(['bot'])}(?:{_NUMBER})*")
_RESERVED_SKELETONS = frozenset(skeleton_of(name) for name in _RESERVED) | frozenset(
    skeleton_of(adjective + noun) for adjective in ADJECTIVES for noun in NOUNS
)

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
    *("bot", "bots", "botlevel", "computer", "engine", "server", "system", "root", "staff", "team", "mod", "mods"),
    *("support", "help", "helpdesk", "security", "abuse", "contact", "info", "webmaster", "postmaster", "owner"),
    *("anonymous", "anon", "nobody", "somebody", "everyone", "everybody", "everything", "player", "opponent", "you"),
    *("yourself", "myself", "unknown", "undefined", "null", "none", "nil", "true", "false", "account", "accounts"),
    *("leaders", "settings", "signin", "signout", "register", "login", "logout", "draw", "winner", "spectator"),
    *("white", "black", "red", "green", "blue", "yellow", "sysop", "superuser", "operator", "referee", "arbiter"),
)
_BOT = re.compile(r"bot(level)?[-_]?\d*", re.IGNORECASE)
_PUNCTUATION = re.compile(r"[-_ ]")
_LOOKS_LIKE = str.maketrans({"0": "o", "1": "l", "i": "l"})


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
    if _BOT.fullmatch(name) or skeleton in _RESERVED_SKELETONS:
        return True
    if any(skeleton.startswith(skeleton_of(beginning)) for beginning in _RESERVED_BEGINNINGS):
        return True
    return _core_of(skeleton) in {_core_of(skeleton_of(re.sub(r"[^A-Za-z0-9]", "", title))) for title in titles}


def _core_of(skeleton: str) -> str:
    """Return a skeleton without words that do not distinguish names: `TheHunter`, `Hunter`, `Hunter_bot`.

    >>> _core_of(skeleton_of("TheHunter")), _core_of(skeleton_of("Hunter-Bot")), _core_of(skeleton_of("Theo"))
    ('hunter', 'hunter', 'theo')
    """
    words = re.fullmatch(r"(?:bot)?(?:the)?(?:bot)?(?P<core>.{3,}?)(?:bot)?", skeleton)
    return skeleton if words is None else words["core"]


_RESERVED_SKELETONS = frozenset(skeleton_of(name) for name in _RESERVED) | frozenset(
    skeleton_of(adjective + noun) for adjective in ADJECTIVES for noun in NOUNS
)

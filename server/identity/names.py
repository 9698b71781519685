"""Names of accounts: which may be had, and which look alike.

Pure. Two names that a person would take for one another have the same *skeleton*, and only one of them may exist. Only
ASCII is allowed, so that no letter of another script can pass for one of ours. Guests' names, which the server makes
up, hold a space: no account's name can be one.
"""

import re
from collections.abc import Iterable

SHORTEST, LONGEST = 3, 20

ADJECTIVES = (
    *("Amber", "Bold", "Brisk", "Calm", "Clever", "Copper", "Gentle", "Golden", "Hazel", "Ivory", "Jolly", "Keen"),
    *("Lively", "Lucky", "Mellow", "Merry", "Nimble", "Patient", "Quick", "Quiet", "Silver", "Steady", "Swift", "Wise"),
)
NOUNS = (
    *("Badger", "Beaver", "Crane", "Dipper", "Falcon", "Ferret", "Finch", "Fox", "Hare", "Heron", "Kestrel", "Lark"),
    *("Marten", "Miller", "Otter", "Owl", "Pike", "Raven", "Robin", "Salmon", "Sparrow", "Swan", "Trout", "Wren"),
)
"""A guest's name is one of each."""

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


class BadNameError(ValueError):
    """A name that nobody may have; the text says why, for people."""


def skeleton_of(name: str) -> str:
    """Return what is left of a name when all that is easily overlooked is taken away.

    >>> skeleton_of("Corn_Mill"), skeleton_of("C0m-miII")
    ('commlll', 'commlll')
    """
    bare = _PUNCTUATION.sub("", name.casefold()).translate(_LOOKS_LIKE)
    return bare.replace("rn", "m").replace("vv", "w")


def check_name(name: str, titles: Iterable[str] = ()) -> None:
    """Accept a name for an account. Raises: BadNameError.

    `titles` are further names that nobody may have: those of the games and the bots.
    """
    if not SHORTEST <= len(name) <= LONGEST:
        raise BadNameError(f"A name has {SHORTEST} to {LONGEST} characters.")
    if re.fullmatch(r"[A-Za-z0-9_-]+", name) is None:
        raise BadNameError("A name is made of the letters a to z, digits, hyphens and underscores.")
    if not name[0].isalpha():
        raise BadNameError("A name begins with a letter.")
    if re.search(r"[-_]{2}", name) or not name[-1].isalnum():
        raise BadNameError("Hyphens and underscores stand alone, between letters or digits.")
    if _is_reserved(name, titles):
        raise BadNameError("That name is reserved; please choose another.")


def _is_reserved(name: str, titles: Iterable[str]) -> bool:
    skeleton = skeleton_of(name)
    if _BOT.fullmatch(name) or skeleton in _RESERVED_SKELETONS:
        return True
    if any(skeleton.startswith(skeleton_of(beginning)) for beginning in _RESERVED_BEGINNINGS):
        return True
    return skeleton in {skeleton_of(re.sub(r"[^A-Za-z0-9]", "", title)) for title in titles}


_RESERVED_SKELETONS = frozenset(skeleton_of(name) for name in _RESERVED) | frozenset(
    skeleton_of(adjective + noun) for adjective in ADJECTIVES for noun in NOUNS
)

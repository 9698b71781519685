"""Commands about the player's own account: profile, password and API tokens."""

from datetime import datetime

from millrace.protocol import Scope, TokenInfo

from ..usage import UsageError
from .command import Command, Group
from .session import Session

NONE = "none"
"""Typed in place of a text or a country to remove it."""


async def _bio(session: Session, words: list[str]) -> None:
    found = await session.me.players.preferences()
    if not words:
        session.say(found.bio.splitlines(), "Your profile has no text. Type bio TEXT to write one.")
        return
    text = "" if words == [NONE] else " ".join(words)
    await session.me.players.set_profile(text, found.country)
    session.face.say("Your profile text was saved." if text else "Your profile text was removed.")


async def _country(session: Session, words: list[str]) -> None:
    found = await session.me.players.preferences()
    if not words:
        session.face.say(f"Your profile shows {found.country or 'no country'}.")
        return
    country = None if words == [NONE] else words[0].upper()
    await session.me.players.set_profile(found.bio, country)
    session.face.say(f"Your profile shows {country or 'no country'}.")


async def _visible(session: Session, words: list[str]) -> None:
    if words[0] not in ("on", "off"):
        raise UsageError("Type visible on, or visible off.")
    await session.me.players.set_online_visibility(words[0] == "on")
    session.face.say(f"Others {'see' if words[0] == 'on' else 'do not see'} when you are online.")


async def _change_password(session: Session, _: list[str]) -> None:
    old = await session.face.ask_secret("Your current password:")
    new = await session.face.ask_secret("Your new password:")
    if new != await session.face.ask_secret("Repeat the new password:"):
        raise UsageError("The new passwords differ. Your password was not changed.")
    await session.me.account.change_password(old, new)
    session.face.say("Your password was changed, and your other sessions were ended.")


async def _list_tokens(session: Session, _: list[str]) -> None:
    session.say(map(_token_line, await session.me.account.tokens()), "You have no API tokens.")


async def _create_token(session: Session, words: list[str]) -> None:
    label, *scopes = words
    known = [scope.value for scope in Scope]
    if set(scopes) - set(known):
        raise UsageError(f"A token may do: {', '.join(known)}.")
    created = await session.me.account.create_token(label, scopes)
    session.face.say(f"Copy the token {label} now; it is not shown again.")
    session.face.hand_out(created.token)


async def _revoke_token(session: Session, words: list[str]) -> None:
    for token in await session.me.account.tokens():
        if words[0] in (token.id, token.label):
            await session.me.account.revoke_token(token.id)
            session.face.say(f"The token {token.label} was revoked.")
            return
    raise UsageError(f"You have no token {words[0]}. Type tokens to list them.")


def _token_line(token: TokenInfo) -> str:
    day = datetime.fromtimestamp(token.created_ms / 1000).date().isoformat()
    used = "never used" if token.used_ms is None else "used"
    return f"{token.id}  {token.label}: {', '.join(token.scopes)}; since {day}, {used}"


ACCOUNT = Group(
    "Your account",
    (
        Command("bio [TEXT...]", "show or write your profile text; or none", _bio),
        Command("country [CODE]", "show or choose your country: FR; or none", _country),
        Command("visible SWITCH", "let others see that you are online: on, off", _visible),
        Command("password", "change your password", _change_password),
        Command("tokens", "list your API tokens", _list_tokens),
        Command("token LABEL SCOPE...", "create one: read, play, challenge, chat", _create_token),
        Command("revoke TOKEN", "revoke one, by its label or id", _revoke_token),
    ),
)

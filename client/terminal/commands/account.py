"""Commands about the player's own account: profile, password and API tokens."""

from collections.abc import Sequence
from datetime import datetime

from millrace.protocol import Code, Scope, TokenInfo

from ...errors import RefusedError
from ..usage import UsageError
from .command import Command, Group
from .session import COMPLETED, Entry, Session

NONE = "none"
"""Typed in place of a text or a country to remove it."""
END = "end"
"""Typed in place of days to come back from vacation."""
MOST_VACATION_DAYS = 30


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
    if country is not None and country not in found.countries:
        raise UsageError(f"{words[0]} is not a country's code. Type its two letters, such as FR, or none.")
    await session.me.players.set_profile(found.bio, country)
    session.face.say(f"Your profile shows {country or 'no country'}.")


async def _visible(session: Session, words: list[str]) -> None:
    if words[0] not in ("on", "off"):
        raise UsageError("Type visible on, or visible off.")
    await session.me.players.set_online_visibility(words[0] == "on")
    session.face.say(f"Others {'see' if words[0] == 'on' else 'do not see'} when you are online.")


async def _register(session: Session, words: list[str]) -> None:
    me = session.me
    if me.player.registered:
        raise UsageError(f"You have an account already: {me.player.name}.")
    password = await session.ask_new_password(
        "Choose a password:", "Repeat the password:", "The passwords differ. No account was registered."
    )
    await me.account.register(words[0], password)
    session.face.say(" ".join((f"You are {words[0]} from now on.", session.memory.keep(me))).rstrip())
    session.face.hand_out(recovery_text(me.account.recovery_codes))


async def _log_out(session: Session, _: list[str]) -> None:
    session.has_quit = True
    warning = session.memory.forget()
    if session.me.player.registered:
        await session.me.account.sign_out()
    session.face.say(" ".join((f"{session.me.player.name} is signed out on this device.", warning)).rstrip())


async def _change_password(session: Session, words: list[str]) -> None:
    if words not in ([], ["tokens"]):
        raise UsageError("Type password, or password tokens to revoke your API tokens too.")
    old = await session.ask_secret("Your current password:")
    new = await _ask_new_password(session)
    await session.me.account.change_password(old, new, revoke_tokens=bool(words))
    revoked = ", and your API tokens were revoked" if words else ""
    session.face.say(f"Your password was changed, your other sessions were ended{revoked}.")


async def _ask_new_password(session: Session) -> str:
    return await session.ask_new_password(
        "Your new password:", "Repeat the new password:", "The new passwords differ. Nothing was changed."
    )


async def _renew_recovery_codes(session: Session, _: list[str]) -> None:
    codes = await session.me.account.renew_recovery_codes(await session.ask_secret("Your password:"))
    session.face.hand_out(recovery_text(codes))


async def _recover(session: Session, words: list[str]) -> None:
    name, *codes = words
    if not codes:
        try:
            await session.me.account.mail_recovery_code(name)
        except RefusedError as refusal:
            if refusal.code != Code.NO_EMAIL:
                raise
            raise UsageError(f"{refusal.message} Use a recovery code: recover {name} CODE.") from None
        session.face.say(f"If {name} has an e-mail address, a code was sent there. Type recover {name} CODE.")
        return
    await session.me.account.recover(name, codes[0], await _ask_new_password(session))
    session.face.say(f"{name} has a new password. To play as {name}: quit, and start with --name {name}.")


async def _email(session: Session, words: list[str]) -> None:
    if not words:
        found = await session.me.account.email()
        offer = "Type email ADDRESS to set one." if found.is_offered else "This server sends no e-mail."
        session.face.say(f"Your e-mail address is {found.address}." if found.address else f"No e-mail address. {offer}")
        return
    address = "" if words == [NONE] else words[0]
    if address and not (await session.me.account.email()).is_offered:
        raise UsageError("This server sends no e-mail.")
    await session.me.account.set_email(address, await session.ask_secret("Your password:"))
    session.face.say(
        f"A code was sent to {address}. Type confirm CODE." if address else "Your e-mail address was removed."
    )


async def _confirm(session: Session, words: list[str]) -> None:
    await session.me.account.confirm_email(words[0])
    session.face.say("Your e-mail address was confirmed.")


async def _delete(session: Session, _: list[str]) -> None:
    session.face.say("This deletes your account for good and resigns your matches. Leave the answer empty to keep it.")
    password = await session.ask_secret("Your password:")
    session.has_quit = True
    try:
        await session.me.account.delete(password)
    except RefusedError:
        session.has_quit = False
        raise
    session.memory.forget()
    session.face.say("Your account was deleted.")


async def _list_tokens(session: Session, _: list[str]) -> None:
    found = await session.me.account.tokens()
    listed = [Entry(_token_line(each), each.id, f"revoke {each.id}{COMPLETED}") for each in found]
    session.list_entries(
        listed, "Your API tokens; revoke 1 revokes the first:" if listed else "You have no API tokens."
    )


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
        if words[0] == token.label or session.name_of(words[0]) == token.id:
            await session.me.account.revoke_token(token.id)
            session.face.say(f"The token {token.label} was revoked.")
            return
    raise UsageError(f"You have no token {words[0]}. Type tokens to list them.")


def recovery_text(codes: Sequence[str]) -> str:
    """Return what a new account's owner has to keep."""
    lines = "\n".join(codes)
    return f"Recovery codes: each lets you set a new password once. Keep them; they are not shown again.\n{lines}"


def _token_line(token: TokenInfo) -> str:
    day = datetime.fromtimestamp(token.created_ms / 1000).date().isoformat()
    used = "never used" if token.used_ms is None else "used"
    return f"{token.label}: {', '.join(token.scopes)}; since {day}, {used}"


async def _vacation(session: Session, words: list[str]) -> None:
    if words and words != [END] and not (words[0].isdecimal() and 1 <= int(words[0]) <= MOST_VACATION_DAYS):
        raise UsageError(f"Type vacation with 1 to {MOST_VACATION_DAYS} days, or with {END}.")
    days = None if not words else 0 if words == [END] else int(words[0])
    vacation = await session.me.players.vacation(days)
    until = "" if vacation.until_ms is None else datetime.fromtimestamp(vacation.until_ms / 1000).date().isoformat()
    state = f"You are on vacation until {until}." if until else "You are not on vacation."
    session.face.say(f"{state} Days left: {vacation.left_days}.")


ACCOUNT = Group(
    "Your account",
    (
        Command("register NAME", "make this guest an account; keeps its matches", _register, "register Beatrix"),
        Command("logout", "sign out on this device, and quit", _log_out),
        Command("bio [TEXT...]", "show or write your profile text; or none", _bio, "bio I play in trains."),
        Command("country [CODE]", "show or choose your country: FR; or none", _country, "country FR"),
        Command("visible SWITCH", "let others see that you are online: on, off", _visible, "visible off"),
        Command("password [TOKENS]", "change it; or tokens: revoke those too", _change_password, "password tokens"),
        Command("recovery", "get new recovery codes for a lost password", _renew_recovery_codes),
        Command(
            "recover NAME [CODE]",
            "replace a lost password; or mail a code",
            _recover,
            "recover Beatrix k7m2-p9qa-4xzt-2345",
        ),
        Command("email [ADDRESS]", "show or set your e-mail address; or none", _email, "email beatrix@example.org"),
        Command("confirm CODE", "confirm your e-mail address", _confirm, "confirm k7m2-p9qa-4xzt-2345"),
        Command("vacation [DAYS]", "stop your clocks by correspondence; or end", _vacation, "vacation 7"),
        Command("delete", "delete your account", _delete),
        Command("tokens", "list your API tokens", _list_tokens),
        Command(
            "token LABEL SCOPE...", "create one: read, play, challenge, chat", _create_token, "token engine read play"
        ),
        Command("revoke TOKEN", "revoke one, by its label or number", _revoke_token, "revoke engine"),
    ),
    needs_others=True,
)

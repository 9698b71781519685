"""The messages about e-mail addresses: setting and confirming one, and requesting a recovery code by e-mail.

Codes in mails work once, expire, and are stored as hashes. A request for one gets the same answer, after the same time,
whether or not the account exists. Strangers can have only a few mails a day sent to an owner, who is told how to stop
them.
"""

from collections.abc import Coroutine, Sequence
from dataclasses import replace

from millrace.protocol import Code, ConfirmEmail, Done, Email, GetEmail, IdentityId, MailRecoveryCode, SetEmail
from millrace.protocol.refusal import Refusal

from ...callers.answers import Answers, Memory, require_first
from ...callers.caller import Caller, account_of
from ...callers.feature import Access, Feature, Route
from ...callers.limit import DAY_MS, HOUR_MS, Limit
from ...callers.limits import Limits
from ...callers.names import skeleton_of
from ...journal.unavailable import refusing_failures
from ...runtime.system_clock import NowMs
from ...storage.database import Step
from ..mail.mail_queue import Mail, MailQueue
from ..mail.mail_store import MailKind, StoredMail, mailing_step
from ..mail.smtp_settings import plain_address
from .account_store import Account, AccountStore
from .email_texts import EmailTexts
from .known_places import KnownPlaces
from .password_login import PasswordLogin
from .stored_tokens import StoredToken, TokenKind
from .tokens import credential_of_code, new_code

MOST_MAILS = 6
"""Maximum mails of a kind a day that strangers can have sent to one e-mail address."""
CONFIRMATION_MS = DAY_MS
"""Time to confirm an address."""
RECOVERY_MS = HOUR_MS // 2
"""Validity of a mailed recovery code."""

EMAIL_CHANGES = Limit(
    name="email_changes",
    counts="e-mail addresses to confirm",
    refusal="Too many e-mail addresses were entered.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=HOUR_MS,
    account=5,
    address=20,
)
MAILS_TO_ADDRESS = Limit(
    name="mails_to_address",
    counts="confirmation mails sent to one e-mail address at a stranger's request",
    refusal="Too many e-mails were sent to this address; please try again tomorrow.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=DAY_MS,
    address=MOST_MAILS // 2,
    everyone=MOST_MAILS,
)
RECOVERY_MAILS = Limit(
    name="recovery_mails",
    counts="recovery codes requested by e-mail, for any account",
    refusal="Too many recovery codes were requested from your address.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=HOUR_MS,
    account=5,
    guest=5,
    address=20,
)
RECOVERY_MAILS_OF_ACCOUNT = Limit(
    name="recovery_mails_of_account",
    counts="recovery codes mailed to one owner at others' requests; further ones are not sent, and nobody is told",
    refusal="Too many recovery codes were requested for this account; please try again later.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=DAY_MS,
    address=MOST_MAILS // 2,
    everyone=MOST_MAILS,
)
RECOVERY_MAILS_AT_KNOWN_ADDRESS = replace(
    RECOVERY_MAILS_OF_ACCOUNT,
    name="recovery_mails_at_known_address",
    counts="the same, at the requests of addresses and guests that have signed in to the account",
    address=MOST_MAILS,
    everyone=None,
)


class EmailHandler(Feature):
    """Answers the messages about e-mail addresses, and writes the mails."""

    def __init__(
        self,
        store: AccountStore,
        login: PasswordLogin,
        places: KnownPlaces,
        mails: MailQueue,
        now_ms: NowMs,
        limits: Limits,
        site: str,
        answers: Answers,
    ) -> None:
        self._store, self._login, self._places, self._mails = store, login, places, mails
        self._now_ms, self._limits = now_ms, limits
        self._texts = EmailTexts(site)
        self.routes = (
            Route(GetEmail, self.get, Access.SIGNED_IN),
            Route(SetEmail, answers.once(self.set), Access.SIGNED_IN),
            Route(ConfirmEmail, answers.once(self.confirm), Access.SIGNED_IN),
            Route(MailRecoveryCode, answers.once(self.mail_recovery_code), Access.SIGNED_IN),
        )

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Send the mails."""
        return (self._mails.run(self._write),)

    async def get(self, command: GetEmail, caller: Caller) -> None:
        """Answer with the address of the caller's account. Raises: Refusal."""
        with refusing_failures("e-mail address not read", "look this up"):
            address = await self._store.email_of(caller.identity) if caller.player.registered else None
        caller.send(Email(command.id, address or "", self._mails.is_open))

    async def set(self, command: SetEmail, caller: Caller, memory: Memory) -> Done:
        """Send a code to a new address, or remove the current one. Raises: Refusal."""
        owner, address, done = account_of(caller), command.address.strip(), Done(command.id)
        if address:
            self._require_mail()
            address = plain_address(address)
            if not address:
                raise Refusal(Code.BAD_EMAIL, "This is not an e-mail address.")
        with refusing_failures("e-mail address not stored"):
            await self._login.check_password(owner.name, command.password, caller)
            if address:
                self._limits.use(EMAIL_CHANGES, caller)
                self._limits.use(MAILS_TO_ADDRESS, caller, subject=_mailbox_of(address))
                await self._require_mail_server()
                mail = self._mail(MailKind.CONFIRMATION, owner.id, address)
                is_stored = await self._store.carry_out(mail, memory.step(done))
            else:
                steps = self._notifying_steps(owner.id, await self._store.email_of(owner.id), "")
                is_stored = await self._store.remove_email(owner.id, *steps, memory.step(done))
        require_first(is_stored)
        self._mails.wake()
        return done

    async def confirm(self, command: ConfirmEmail, caller: Caller, memory: Memory) -> Done:
        """Store an address for the caller's account, given the code that was sent to it. Raises: Refusal."""
        owner, code, done = account_of(caller), credential_of_code(command.code), Done(command.id)
        wrong = Refusal(Code.WRONG_PASSWORD, "This code is wrong, has been used, or has expired.")
        now_ms = self._now_ms()
        with refusing_failures("e-mail address not stored"):
            address = await self._store.address_to_confirm(owner.id, code, now_ms)
            if address is None:
                raise wrong
            steps = self._notifying_steps(owner.id, await self._store.email_of(owner.id), address)
            if not await self._store.confirm_email(owner.id, code, address, now_ms, *steps, memory.step(done)):
                raise wrong
        self._mails.wake()
        return done

    async def mail_recovery_code(self, command: MailRecoveryCode, caller: Caller, memory: Memory) -> Done:
        """Send a recovery code to the address of an account, if there is one. Raises: Refusal."""
        self._require_mail()
        await self._require_mail_server()
        done = Done(command.id)
        self._limits.use(RECOVERY_MAILS, caller)
        with refusing_failures("recovery code not requested"):
            account = await self._owner_to_mail(command.name, caller)
            # Stored in any case, so that the time does not tell whether there is an account.
            mail = self._mail(MailKind.RECOVERY, IdentityId("") if account is None else account.id, "")
            require_first(await self._store.carry_out(mail, memory.step(done)))
        self._mails.wake()
        return done

    async def _owner_to_mail(self, name: str, caller: Caller) -> Account | None:
        """Return the account to which a recovery code is mailed; None if there is none, or its owner has got enough.

        Raises: StorageError.
        """
        account = await self._store.find_named(skeleton_of(name))
        if account is None or account.name.casefold() != name.casefold():
            return None
        address = await self._store.email_of(account.id)
        if address is None:
            return None
        places = (caller.identity, caller.connection_info.address)
        is_known = any(self._places.knows(account.id, place) for place in places)
        limit = RECOVERY_MAILS_AT_KNOWN_ADDRESS if is_known else RECOVERY_MAILS_OF_ACCOUNT
        try:
            self._limits.use(limit, caller, subject=_mailbox_of(address))
        except Refusal:
            return None
        return account

    def _mail(self, kind: MailKind, identity: IdentityId, address: str) -> Step:
        return mailing_step(kind, identity, address, self._now_ms())

    def _notifying_steps(self, identity: IdentityId, before: str | None, after: str) -> list[Step]:
        """Return the steps that notify the address that an account had, if it has another now."""
        if not self._mails.is_open or before is None or before.casefold() == after.casefold():
            return []
        return [self._mail(MailKind.CHANGED, identity, before)]

    async def _write(self, mail: StoredMail) -> Mail | None:
        """Return a mail with a new code; None if the account is gone, or has no address. Raises: StorageError."""
        account = await self._store.find(mail.identity)
        address = mail.address or await self._store.email_of(mail.identity)
        if account is None or not address:
            return None
        match mail.kind:
            case MailKind.CHANGED:
                return self._texts.changed(address, account.name)
            case MailKind.CONFIRMATION:
                code = await self._new_code(account.id, TokenKind.EMAIL, CONFIRMATION_MS, address)
                return self._texts.confirmation(address, account.name, code)
            case MailKind.RECOVERY:
                code = await self._new_code(account.id, TokenKind.MAILED_RECOVERY, RECOVERY_MS)
                return self._texts.recovery(address, account.name, code)

    async def _new_code(self, identity: IdentityId, kind: TokenKind, lifetime_ms: int, label: str = "") -> str:
        """Return a new code, which is stored as a hash. Raises: StorageError."""
        code, now_ms = new_code(), self._now_ms()
        credential = credential_of_code(code)
        until_ms = now_ms + lifetime_ms
        await self._store.add_token(StoredToken(credential, credential[:12], identity, kind, now_ms, until_ms, label))
        return code

    def _require_mail(self) -> None:
        if not self._mails.is_open:
            raise Refusal(Code.NO_EMAIL, "This server does not send e-mail.")

    async def _require_mail_server(self) -> None:
        if not await self._mails.works():
            raise Refusal(Code.UNAVAILABLE, "This server cannot send e-mail at the moment. Please try again later.")


def _mailbox_of(address: str) -> str:
    """Return the mailbox of an e-mail address, which may have many addresses.

    >>> _mailbox_of("Ann+mills@Example.org")
    'ann@example.org'
    """
    local, _, host = address.casefold().rpartition("@")
    return f"{local.partition('+')[0] or local}@{host}"

"""The messages about e-mail addresses: setting and confirming one, and requesting a recovery code by e-mail.

Codes in mails work once, expire, and are stored as hashes. A request for one gets the same answer, after the same time,
whether or not the account exists.
"""

from millrace.protocol import Code, ConfirmEmail, Done, Email, GetEmail, IdentityId, MailRecoveryCode, SetEmail
from millrace.protocol.refusal import Refusal

from ...callers.caller import Caller, account_of
from ...callers.feature import Access, Feature, Route
from ...callers.limit import DAY_MS, HOUR_MS, Limit
from ...callers.limits import Limits
from ...callers.names import skeleton_of
from ...journal.unavailable import refusing_failures
from ...runtime.system_clock import NowMs
from ..mail.mail_queue import Mail, MailQueue
from ..mail.smtp_settings import is_plain_address
from .account_store import AccountStore, StoredToken, TokenKind
from .email_texts import EmailTexts
from .password_login import PasswordLogin
from .tokens import credential_of_code, new_code

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
    address=5,
    everyone=5,
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
    counts="recovery codes requested by e-mail, for one account, existing or not",
    refusal="Too many recovery codes were requested for this account; please try again later.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=HOUR_MS,
    address=5,
    everyone=5,
)


class EmailHandler(Feature):
    """Answers the messages about e-mail addresses."""

    def __init__(
        self, store: AccountStore, login: PasswordLogin, mails: MailQueue, now_ms: NowMs, limits: Limits, site: str
    ) -> None:
        self._store, self._login, self._mails = store, login, mails
        self._now_ms, self._limits = now_ms, limits
        self._texts = EmailTexts(site)
        self.routes = (
            Route(GetEmail, self.get, Access.SIGNED_IN),
            Route(SetEmail, self.set, Access.SIGNED_IN),
            Route(ConfirmEmail, self.confirm, Access.SIGNED_IN),
            Route(MailRecoveryCode, self.mail_recovery_code, Access.SIGNED_IN),
        )

    async def close(self) -> None:
        """Stop sending."""
        await self._mails.close()

    async def get(self, command: GetEmail, caller: Caller) -> None:
        """Answer with the address of the caller's account. Raises: Refusal."""
        with refusing_failures("e-mail address not read", "look this up"):
            address = await self._store.email_of(caller.identity) if caller.player.registered else None
        caller.send(Email(command.id, address or "", self._mails.is_open))

    async def set(self, command: SetEmail, caller: Caller) -> None:
        """Send a code to a new address, or remove the current one. Raises: Refusal."""
        owner, address = account_of(caller), command.address.strip()
        if address:
            self._require_mail()
            if not is_plain_address(address):
                raise Refusal(Code.BAD_EMAIL, "This is not an e-mail address.")
        with refusing_failures("e-mail address not stored"):
            await self._login.check_password(owner.name, command.password, caller)
            if address:
                await self._send_confirmation(owner.id, owner.name, address, caller)
            else:
                await self._remove(owner.id, owner.name)
        caller.send(Done(command.id))

    async def confirm(self, command: ConfirmEmail, caller: Caller) -> None:
        """Store an address for the caller's account, given the code that was sent to it. Raises: Refusal."""
        owner, code = account_of(caller), credential_of_code(command.code)
        with refusing_failures("e-mail address not stored"):
            before = await self._store.email_of(owner.id)
            if not await self._store.confirm_email(owner.id, code, self._now_ms()):
                raise Refusal(Code.WRONG_PASSWORD, "This code is wrong, has been used, or has expired.")
            after = await self._store.email_of(owner.id)
        if before is not None and after is not None and before.casefold() != after.casefold():
            self._send(self._texts.changed(before, owner.name))
        caller.send(Done(command.id))

    async def mail_recovery_code(self, command: MailRecoveryCode, caller: Caller) -> None:
        """Send a recovery code to the address of an account, if there is one. Raises: Refusal."""
        self._require_mail()
        skeleton = skeleton_of(command.name)
        self._limits.use(RECOVERY_MAILS, caller)
        self._limits.use(RECOVERY_MAILS_OF_ACCOUNT, caller, subject=skeleton)
        self._mails.put(lambda: self._recovery_mail(command.name, skeleton))
        caller.send(Done(command.id))

    async def _recovery_mail(self, name: str, skeleton: str) -> Mail | None:
        """Return the mail with a new recovery code; None if the account has no address. Raises: StorageError."""
        account = await self._store.find_named(skeleton)
        if account is None or account.name.casefold() != name.casefold():
            return None
        address = await self._store.email_of(account.id)
        if address is None:
            return None
        code = new_code()
        await self._store.add_token(self._token(account.id, TokenKind.MAILED_RECOVERY, code, RECOVERY_MS))
        return self._texts.recovery(address, account.name, code)

    async def _send_confirmation(self, identity: IdentityId, name: str, address: str, caller: Caller) -> None:
        """Raises: Refusal, StorageError."""
        self._limits.use(EMAIL_CHANGES, caller)
        self._limits.use(MAILS_TO_ADDRESS, caller, subject=address.casefold())
        code = new_code()
        token = self._token(identity, TokenKind.EMAIL, code, CONFIRMATION_MS)
        await self._store.add_token(token._replace(label=address))
        self._send(self._texts.confirmation(address, name, code))

    async def _remove(self, identity: IdentityId, name: str) -> None:
        """Raises: StorageError."""
        before = await self._store.email_of(identity)
        await self._store.remove_email(identity)
        if before is not None:
            self._send(self._texts.changed(before, name))

    def _token(self, identity: IdentityId, kind: TokenKind, code: str, lifetime_ms: int) -> StoredToken:
        now_ms, credential = self._now_ms(), credential_of_code(code)
        return StoredToken(credential, credential[:12], identity, kind, now_ms, now_ms + lifetime_ms)

    def _send(self, mail: Mail) -> None:
        async def write() -> Mail:
            return mail

        self._mails.put(write)

    def _require_mail(self) -> None:
        if not self._mails.is_open:
            raise Refusal(Code.UNAVAILABLE, "This server does not send e-mail.")

"""E-mail addresses of accounts, for resetting passwords, if the server sends e-mail."""

from typing import Annotated, TypeAlias

import msgspec

from .accounts import NameField, PasswordField
from .fields import CommandId, CommandIdField, Message


class GetEmail(Message, frozen=True):
    """Get the e-mail address of your account, and whether this server sends e-mail; answered by `Email`."""

    id: CommandIdField


class Email(Message, frozen=True):
    """Answers `GetEmail`."""

    id: CommandId
    address: str
    """The confirmed address; empty for none."""
    is_offered: bool
    """Whether this server sends e-mail."""


class SetEmail(Message, frozen=True):
    """Set the e-mail address of your account; answered by `Done`.

    It is set when confirmed with the code that is sent there.
    """

    id: CommandIdField
    address: Annotated[str, msgspec.Meta(max_length=254)]
    """Empty to remove the address at once."""
    password: PasswordField


class ConfirmEmail(Message, frozen=True):
    """Confirm an e-mail address with the code that was sent there; answered by `Done`."""

    id: CommandIdField
    code: Annotated[str, msgspec.Meta(max_length=64)]


class MailRecoveryCode(Message, frozen=True):
    """Have a recovery code sent to the e-mail address of an account; it is valid for half an hour.

    Answered by `Done`, whether or not such an account and address exist.
    """

    id: CommandIdField
    name: NameField


EmailCommand: TypeAlias = GetEmail | SetEmail | ConfirmEmail | MailRecoveryCode
EmailReply: TypeAlias = Email

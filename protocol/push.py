"""Push messages: notifications that a browser shows while no page is open (RFC 8030)."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, Message

EndpointField = Annotated[str, msgspec.Meta(min_length=1, max_length=1_024)]
BrowserKeyField = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]


class GetPushKey(Message, frozen=True):
    """Get the key with which browsers subscribe; answered by `PushKey`."""

    id: CommandIdField


class PushKey(Message, frozen=True):
    """Answers `GetPushKey`."""

    id: CommandId
    key: str
    """The server's public key, in base64 for addresses (RFC 8292)."""


class SubscribeToPush(Message, frozen=True):
    """Push notifications to this browser while no page of yours is open; answered by `Done`.

    The subscription ends with the session. Clients repeat it at each visit; one that the push service has ended is
    refused as `subscription_ended`, and the browser has to subscribe anew.
    """

    id: CommandIdField
    endpoint: EndpointField
    key: BrowserKeyField
    """The browser's public key `p256dh`, in base64 for addresses."""
    secret: BrowserKeyField
    """The browser's secret `auth`, in base64 for addresses."""


class UnsubscribeFromPush(Message, frozen=True):
    """Stop pushing to an endpoint; answered by `Done`."""

    id: CommandIdField
    endpoint: EndpointField


PushCommand: TypeAlias = GetPushKey | SubscribeToPush | UnsubscribeFromPush
PushAnswer: TypeAlias = PushKey

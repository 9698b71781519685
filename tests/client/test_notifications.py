"""Push messages and mails by the client library."""

import asyncio

from millrace.client import connect
from millrace.protocol import Code
from tests.client.connecting import PASSWORD, new_name, refusal_of
from tests.serving import PATIENCE_S, Site

ENDPOINT = "https://push.example/device"
SECRET = "AAAAAAAAAAAAAAAAAAAAAA"


async def test_a_program_subscribes_to_push_messages_at_its_service(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        await ann.account.register(new_name(), PASSWORD)
        key = await ann.notifications.push_key()
        await ann.notifications.subscribe_to_push(ENDPOINT, key, SECRET)
        await ann.notifications.unsubscribe_from_push(ENDPOINT)
        assert await refusal_of(ann.notifications.subscribe_to_push("ftp://nowhere", key, SECRET)) is Code.MALFORMED


async def test_a_recovery_code_is_requested_by_mail(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as guest:
        assert await refusal_of(guest.account.mail_recovery_code(new_name())) is Code.NO_EMAIL

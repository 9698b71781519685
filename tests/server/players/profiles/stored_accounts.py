"""Accounts in a database, without a server."""

from millrace.protocol import IdentityId
from millrace.server.app.stores import Stores
from millrace.server.callers.names import skeleton_of
from millrace.server.players.accounts.account_store import Account


async def make_account(stores: Stores, name: str) -> IdentityId:
    """Store an account; its identity is the name in small letters."""
    identity = IdentityId(name.lower())
    assert await stores.accounts.create(Account(identity, name, "hash", 0), skeleton_of(name), 0)
    return identity

"""Accounts in a database, without a server."""

from millrace.protocol import IdentityId
from millrace.server.app.stores import Stores
from millrace.server.callers.credentials import credential_of, identify, new_token
from millrace.server.callers.names import skeleton_of
from millrace.server.players.accounts.account_store import Account
from millrace.server.players.accounts.token_store import StoredToken, TokenKind, token_step


async def make_account(stores: Stores, name: str) -> IdentityId:
    """Store an account; its identity is the name in small letters."""
    identity = IdentityId(name.lower())
    assert await stores.accounts.create(Account(identity, name, "hash", 0), skeleton_of(name), 0)
    return identity


async def signed_in_account(stores: Stores, name: str) -> str:
    """Store an account without a password, and return a session's token."""
    account, token = Account(identify(new_token("guest")).id, name, "", 0), new_token("session")
    session = StoredToken(credential_of(token), name, account.id, TokenKind.SESSION, 0)
    assert await stores.accounts.create(account, skeleton_of(name), 0, token_step(session))
    return token

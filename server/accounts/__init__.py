"""Accounts: names that belong to somebody, and what lets their owners in.

`store` is the interface to what is kept. Guests need none of this: see `server.identity`.
"""

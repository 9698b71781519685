"""Accounts: names that belong to somebody, and what lets their owners in.

Guests need none of this: see `server.identity.credentials`. `names`, `passwords`, `attempts` and `scopes` are rules,
and pure; `store` is the interface to what is kept. `reception` finds out who a connection is, `desk` answers what is
asked about accounts, with `proving`, `hashing` and `issuing` behind it, and `cookie_login` gives browsers their cookies.
"""

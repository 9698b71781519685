"""Accounts: signing in with a password, sessions, API tokens and restrictions.

authentication.py   who a connection is, from its token, header or cookie
account_handler.py  the messages about accounts
password_login.py   checks a name and password, behind limits on wrong ones; hashing.py hashes, password_rules.py judges
tokens.py           sessions, sign-in tickets and API tokens; cookies.py gives browsers their cookies
restrictions.py     who is muted or banned, and who is a moderator
email_handler.py   the messages about e-mail addresses, and recovery by them; email_texts.py what is sent
known_places.py     from where each account was signed in to
account_store.py, restriction_store.py   interfaces to what is stored

Guests need no account: `server.callers.credentials`.
"""

"""Accounts: signing in with a password, sessions, API tokens, and e-mail addresses. Guests need none."""

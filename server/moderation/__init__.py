"""Keeping order: roles, reports, what moderators do, the log of it, and what follows from it."""

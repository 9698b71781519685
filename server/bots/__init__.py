"""Bots in empty seats: processes that search, and the asking of them."""

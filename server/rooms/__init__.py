"""Rooms: matches that are going on, each with its audience and its bots, and the lists that tell of them."""

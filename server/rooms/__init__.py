"""Rooms: the matches that are being played, each with its audience, its bots and its timers."""

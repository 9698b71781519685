"""Storms: as many puzzles as possible in three minutes, judged and timed by the server."""

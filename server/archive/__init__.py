"""Matches that are over: found again, written down, read back, taken in from elsewhere."""

"""A match as a value, and every decision about it: pure functions of match, command and time that return events."""

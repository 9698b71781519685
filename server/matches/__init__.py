"""A match as a value, and all that is decided about it: purely, told the time and chance, returning events."""

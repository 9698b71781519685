"""Ratings: what a result changes (`formula`), which results count (`counting`), what is kept, and who asks for it."""

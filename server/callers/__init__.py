"""The callers: who is connected, what they may send and how often, and which function answers."""

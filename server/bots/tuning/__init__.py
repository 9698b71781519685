"""Tuning weights with several processes. The fitting itself is `engine.tuning`."""

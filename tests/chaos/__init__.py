"""Chaos: a cluster of processes is killed, paused and restarted at random, while people and bots play on it."""

"""Bots: the processes that search for them, and the queue of requests to these."""

"""Bots: processes that search for them, the queue of requests, opening books, tablebases, and tuning."""

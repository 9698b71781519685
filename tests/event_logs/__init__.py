"""Matches as events, with a summary of the match after each: what every fold must come to.

`recording` plays them with the referee. The Python client (`tests/client/test_event_logs.py`) and the page
(`tests/browser/test_event_logs.py`) fold the events as they are sent, and must agree with the server's fold.
"""

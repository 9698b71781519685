"""Golden event logs: matches as events, with the expected summary of each fold after every event.

`event_logs.json` is folded by the server (`tests/server/matches/test_golden_logs.py`), by the Python client
(`tests/client/test_golden_logs.py`) and by the page (`tests/browser/test_golden_logs.py`). Each of them reports the
same summary after each event, described in `tests.golden.logs`.
"""

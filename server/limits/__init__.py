"""Limits: how often, how much and how many at a time, declared at the handlers and enforced here.

limit.py       what a limit is: what it counts, its bounds, and how it is refused
limits.py      enforces every limit, by the settings of the server
buckets.py     what is left of a bound that refills with time
shared_use.py  what is used on other nodes
page.py        writes docs/limits.md; `server.app.limit_table` lists the limits
"""

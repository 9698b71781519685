"""Tablebases as files in the data folder: writing, reading, checking, and building in the background of a server.

`engine.tablebase` solves and probes them.
"""

"""Tablebases as files in the data folder: written, read, checked, and built in the background by a server.

How tables are solved and probed is `engine.tablebase`.
"""

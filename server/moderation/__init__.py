"""Moderation: roles, reports, moderation actions, their log, and their effects.

actions.py       whether an action may be taken, and what it stores
enforcement.py   what an action changes in a running server
moderation_handler.py  the messages of moderators; reports.py the reports of players
permissions.py   who may take which action against whom
"""

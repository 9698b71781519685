"""Tuning weights on this machine: what `engine.tuning` leaves open, which is processes, chance and files.

files.py      weights by the name of a set or of a file
playing.py    matches in processes of their own
commands.py   what `millrace tune` prints
"""

"""Levels and personalities: the opponents that can take a seat, and the move that each plays.

opponents.py      eight levels and a few personalities, as data
play.py           the search by which an opponent chooses its move
passing_out.py    passing in decided games that two passes end
"""

"""Levels and personalities: the opponents that can take a seat, and how they choose moves.

opponents.py      eight levels and a few personalities, as data
play.py           the search by which an opponent chooses its move
classic.py        the published programs' own search
solved_play.py    what the strongest level does where the result is known
hard_bargain.py   drawn moves that a weaker opponent is most likely to answer wrongly
warm_up.py        compiling the rules and the searches of a game ahead of time
passing_out.py    passing in decided games that two passes end
"""

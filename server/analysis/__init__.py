"""Analysing beside play: lines walked without a match, searches of them, matches judged ply by ply.

lines.py       from what a message names to a state
telling.py     what is told of a state and of what was found
fairness.py    who may have what analysed while matches are played
allowance.py   how much processor time somebody may spend
judging.py     which plies were mistakes
searching.py   searches of positions, told as they see further
reviewing.py   whole matches judged
store.py       what is kept of that
desk.py        who is answered what
"""

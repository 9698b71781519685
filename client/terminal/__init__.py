"""Millrace in a terminal of 80 columns or more: `millrace play`.

From the ground up: `glyphs` and `board` draw boards as characters; `seat_names`, `match_news` and `formatting` are the
words; `boards` has what a player has open; `commands` is all that can be done, and is run by either face: `plain`, the
line mode, or `full_screen`. The terminal draws the boards that the server sends, so it can play any game.
"""

"""Millrace in a terminal of 80 columns or more: `millrace play`.

`glyphs` and `board` draw boards as characters. `seat_names`, `match_news` and `formatting` write sentences. `boards`
has the open boards, and `commands` every command. Two user interfaces run them: `plain`, the line mode, and
`full_screen`. The terminal draws the boards that the server sends, so it can play any game.
"""

"""Link previews: what sites show of a link to a page, with a picture of its position; and QR codes of invitations.

drawing.py    a position as SVG; digits.py its numbers
renderer.py   SVG as PNG, by a process of its own; rendering.py is what runs there
page_texts.py what is said about a page
preview_handler.py  the GETs
"""

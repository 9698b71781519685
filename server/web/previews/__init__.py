"""Link previews, with a picture of the position, and QR codes of invitations.

drawing.py    a position as SVG; digits.py its numbers
renderer.py   SVG as PNG, in a separate process; rendering.py runs there
page_texts.py titles and descriptions of pages
preview_handler.py  the GETs
"""

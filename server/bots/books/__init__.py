"""Opening books as files: shipped with the games, or built in the data folder.

`engine.book` builds and uses them.
"""

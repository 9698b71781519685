"""Opening books as files: those that come with the games, and those that are grown in the data folder.

The growing itself is `engine.book`.
"""

"""Opening books as files: those that come with the games, and those built in the data folder.

How a book is built and used is `engine.book`.
"""

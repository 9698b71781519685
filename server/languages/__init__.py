"""Translations of the page: what is to be translated, and the catalogues that come of it.

For developers: `python -m millrace.server.languages` collects the texts, brings the catalogues up to date and compiles
them. A running server needs only the compiled ones, which `server.web.languages` serves.

    extraction.py    the texts in the page and in the server's refusals (Babel finds it by pyproject.toml)
    data_texts.py    the texts of games, bots and limits, which are data
    catalogues.py    files of translations: update, check, compile
"""

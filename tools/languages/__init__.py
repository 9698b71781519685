"""Translations of the page: `python -m tools.languages` collects the texts, and brings the catalogues up to date.

extraction.py    the texts in the page and in the server's refusals (Babel finds it by pyproject.toml)
data_texts.py    the texts of games, bots and limits, which are data
catalogues.py    the files of translations: update, check
exchange.py      one file of a language, for translators without git
compilation.py   what the server reads, made of them
"""

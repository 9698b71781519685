"""Programs for developers, which are not installed.

make.py          writes the files that are made of others and are not in git
made_files.py    which they are, and whether they are up to date
build_hook.py    makes them when Millrace is installed, editably or not
protocol/        what is made of the messages
languages/       collects the texts to translate, and compiles the translations
"""

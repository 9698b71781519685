"""A soak: long play on a server, which must not need more at the end than in the middle.

python -m tests.soak --minutes 60
"""

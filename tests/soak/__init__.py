"""A soak: a server is played on for a long time, and must need no more at the end than in the middle.

python -m tests.soak --minutes 60
"""

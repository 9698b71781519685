"""Fuzzing: any input is understood or refused with the reason, and nothing else happens.

    python -m tests.fuzz --runs 10000000            all targets, by mutations of known inputs
    python -m tests.fuzz --target imports --minutes 5 --engine atheris

Where atheris is installed, it is guided by what the code does with an input.
"""

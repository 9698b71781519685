"""Two engines that speak the line protocol against each other: processes, openings, referee, arithmetic.

No command is here: `benchmarks.match` and `benchmarks.movetime` are the commands that import this.
"""

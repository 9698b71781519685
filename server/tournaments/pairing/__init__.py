"""Who plays whom in a tournament, and how its results count. Pure: no clock, no storage, randomness as an argument."""

"""Watching: which live matches there are to see, the one of each game that is featured, and what is on when none is."""

"""Learning: analysis, studies, lessons, puzzles, and openings."""

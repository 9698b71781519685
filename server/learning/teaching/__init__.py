"""Teaching: the lessons of games, and explanations of the moves of a match."""

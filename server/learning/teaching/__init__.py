"""Teaching: what games teach newcomers, and explanations of the moves of a match."""

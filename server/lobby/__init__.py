"""How players meet: quick pairing in waves, waiting matches, challenges, bots that take them, and blocks."""

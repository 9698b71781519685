"""How players meet: quick pairing in waves, matches that wait for somebody, challenges, and blocks."""

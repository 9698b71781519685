"""How players find each other: quick pairing in waves, seeks, challenges, and bots that accept challenges."""

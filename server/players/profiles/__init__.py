"""Profiles and ratings of players, follows and blocks, and who is online and playing."""

"""Profiles and ratings of players, who follows and blocks whom, and who is online and playing."""

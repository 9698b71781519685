"""Openings: statistics from the archive and the opening books about a position, and the names of openings."""

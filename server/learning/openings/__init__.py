"""Openings: what the archive and the opening books know about a position, and the names of openings."""

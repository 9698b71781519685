"""Vacations of players by correspondence."""

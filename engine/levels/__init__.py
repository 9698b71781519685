"""Levels and personalities: who may sit in an empty seat, and the move that each plays."""

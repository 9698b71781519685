"""Ratings: which results count (`eligibility`), what they change (`formula`, `rating_changes`), and what is stored."""

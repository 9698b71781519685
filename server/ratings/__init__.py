"""Ratings: which results count (`eligibility`), what they change (`formula`, `settlement`), and what is stored."""

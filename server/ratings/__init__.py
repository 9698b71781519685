"""Ratings: which results count (`eligibility`), their effect (`formula`, `rating_changes`), and storage."""

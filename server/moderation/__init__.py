"""Moderation: roles, reports, moderation actions, their log, and their effects."""

"""Notifications: found in matches and events, kept in an inbox, sent to pages that are open and pushed to others."""

"""Notifications: derived from matches and events, kept in an inbox, sent to open pages or pushed."""

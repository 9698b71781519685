"""What has happened that concerns a player: found in matches and events, kept in an inbox, sent while online."""

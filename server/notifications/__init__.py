"""What has happened that concerns somebody: found in the matches, kept until they come, told on every page."""

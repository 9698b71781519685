"""The server: rooms, stored matches, seats for people and bots. Its messages are in `protocol`, its start in `app`."""

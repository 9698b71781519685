"""Players: accounts, profiles, and e-mail."""

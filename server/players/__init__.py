"""Players: their accounts, their profiles, and the e-mail they receive."""

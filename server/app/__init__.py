"""The application: builds every part of the server, starts and stops them; the command line."""

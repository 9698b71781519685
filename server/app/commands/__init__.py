"""The work of the commands of `millrace`; `server.app.cli` reads their arguments."""

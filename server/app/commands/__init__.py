"""What the commands of `millrace` do; `server.app.cli` reads their arguments."""

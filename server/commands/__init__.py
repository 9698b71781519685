"""What the commands of `millrace` do; `server.cli` reads their arguments."""

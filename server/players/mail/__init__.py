"""E-mail to players, if the operator has configured a mail server."""

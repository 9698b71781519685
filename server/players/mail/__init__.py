"""E-mail to players, if the operator has configured a mail server.

smtp_settings.py   the mail server, from the command line and the environment
mail_queue.py      sends in the background, and tries again
"""

"""E-mail to players, where the operator has configured a mail server; without one, nothing is sent.

smtp_settings.py   the mail server, from the command line and the environment
mail_queue.py      sends in the background, and tries again
"""

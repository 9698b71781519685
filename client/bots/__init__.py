"""Bots: programs that play many matches at once under a bot's account, by a function or by any engine.

`bot_host` plays the matches. `engine_pool` and `engine_process` run engines that speak the line protocol, and
`go_limits` determines their thinking time.
"""

from .bot_host import BotHost, Choose, Decider

__all__ = ["BotHost", "Choose", "Decider"]

"""Programs that play by a bot's account: many matches at once, by a function of one's own or by any engine.

`playing` keeps the matches, `engines` and `engine_process` let a program that speaks the line protocol decide, `timing`
says how long it may think.
"""

from .bot_host import BotHost, Choose, Decider

__all__ = ["BotHost", "Choose", "Decider"]

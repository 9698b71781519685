"""Whether the server's bots can play: the latest word of the server."""

from millrace import protocol

from .latest_word import LatestWord

ALL_PLAY = protocol.BotAvailability((), is_starting=False, explanation="")


class BotAvailabilityClient(LatestWord[protocol.BotAvailability]):
    """The games in which bots cannot move yet, and why; `Connection.bot_availability` is one."""

    def __init__(self) -> None:
        super().__init__(ALL_PLAY)

    def explanation(self, game: str) -> str:
        """Return why the bots of a game cannot move yet; empty if they can."""
        if game in self.latest.faulty:
            return self.latest.faulty_explanation
        return self.latest.explanation if game in self.latest.waiting else ""

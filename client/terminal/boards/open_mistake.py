"""A mistake of the player's in a reviewed match, for which a better move is to be found."""

from millrace.protocol import Mistake, MistakeTried, MistakeVerdict

from ..usage import UsageError
from .open_task import OpenTask


class OpenMistake(OpenTask[Mistake]):
    """A mistake, and the better move once that is known."""

    kind = "Mistake"
    following = "mistakes"
    without_hints = "A mistake has no hints. Type solution to see the better move."

    @property
    def task(self) -> str:
        """What was played."""
        return f"You played {self.posed.move} ({self.posed.judgement}). Find a better move."

    @property
    def facts(self) -> str:
        """What it is."""
        return "a mistake in one of your matches"

    async def play(self, move: str) -> None:
        """Try a move. Raises: UsageError, RefusedError, ConnectionLostError."""
        await self._try(move)

    async def give_up(self) -> None:
        """Show the better move. Raises: UsageError, RefusedError, ConnectionLostError."""
        await self._try("")

    async def _try(self, move: str) -> None:
        if self.is_over:
            raise UsageError(f"This mistake is over. {self._go_on}")
        tried = await self._me.mistakes.attempt(self._game.name, self.posed, move)
        self.is_over = bool(tried.best)
        self._moves = tried.best[:1]
        self._status = f"{self._news_of(tried, move)} {tried.left} left. {self._go_on if self.is_over else ''}".strip()
        await self._show()

    def _news_of(self, tried: MistakeTried, move: str) -> str:
        if tried.verdict is MistakeVerdict.BEST:
            return f"{tried.best[0]} is correct!"
        if tried.verdict is MistakeVerdict.SHOWN:
            return f"The engine would play {tried.best[0]}."
        if tried.verdict is MistakeVerdict.REPEATED:
            return f"You played {self.posed.move} in the match. Try again, or type solution."
        return f"The analysis has not compared {move}. Try another move, or type solution."

"""An ending that is being played against the most stubborn defence."""

from millrace.protocol import EndingGoal, EndingPlayed, EndingPosed

from ..usage import UsageError
from .open_task import OpenTask

_REACHED = {1: "still wins", 0: "only draws", -1: "loses"}


class OpenEnding(OpenTask[EndingPosed]):
    """An ending, and the moves of both sides so far."""

    kind = "Ending"
    following = "ending"
    without_hints = "An ending has no hints: after a move that fails, you see the better ones and try again."

    @property
    def task(self) -> str:
        """What is to be reached."""
        if self.posed.goal is EndingGoal.WIN:
            return f"Win against the most stubborn defence, at best in {self.posed.moves} moves."
        return f"Hold the draw for {self.posed.moves} moves against the most stubborn attack."

    @property
    def facts(self) -> str:
        """The ratings."""
        return f"ending rated {self.posed.rating}, you {self.posed.you.rating}"

    async def play(self, move: str) -> None:
        """Play a move. Raises: UsageError, RefusedError, ConnectionLostError."""
        if self.is_over:
            raise UsageError(f"This ending is over. {self._go_on}")
        played = await self._me.endings.play(self.posed, len(self.line.moves), move)
        self.is_over = played.solved
        self._status = _news_of(self.posed, played)
        if played.kept:
            self._moves = (*self._moves, played.move, *([played.reply] if played.reply else []))
        await self._show()


def _news_of(posed: EndingPosed, played: EndingPlayed) -> str:
    rating = f" Your rating: {played.you.rating} ({played.change:+})." if played.change else ""
    if played.solved:
        return f"Done!{rating} Type ending for another one."
    if not played.kept:
        keeping = " or ".join(played.keeping[:3])
        answer = f" after {played.reply}" if played.reply else ""
        return f"{played.move} {_REACHED[played.reached]}{answer}. Better: {keeping}.{rating} Try again."
    left = "" if played.moves is None else f" {played.moves} to go."
    kept = "Still won." if posed.goal is EndingGoal.WIN else "Still a draw."
    return f"{kept} Your opponent plays {played.reply}.{left}"

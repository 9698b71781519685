"""A field that acts on its keys in the order in which they were typed."""

from textual import events
from textual.widgets import Input

_ACTIONS = {key: binding.action for binding in Input.BINDINGS for key in binding.key.split(",")} | {"ctrl+j": "submit"}  # type: ignore[union-attr]
"""What Enter, Backspace and the other keys of a field do. Ctrl+J is Enter, typed before the program had taken over the
terminal.
"""


class OrderedInput(Input):
    """Acts on Enter, Backspace and the like at once.

    Textual's own field leaves them to the application, which learns of them after the characters typed behind them.
    """

    async def on_key(self, event: events.Key) -> None:
        """Run the action of a key."""
        if (action := _ACTIONS.get(event.key)) is not None:
            event.stop()
            event.prevent_default()
            await self.run_action(action)

"""Playing by the keyboard alone: the arrow keys on the board, and moves that are typed."""

from collections import deque

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

_GRAPH_SCRIPT = """() => Object.fromEntries([...document.querySelectorAll("[data-cell]")].map((cell) => {
  const next = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => {
    cell.focus();
    cell.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return [key, document.activeElement.dataset.cell];
  });
  return [cell.dataset.cell, Object.fromEntries(next)];
}))"""
_FOCUSED_SCRIPT = "() => document.activeElement?.dataset?.cell ?? null"

_IS_TYPING_SCRIPT = "() => document.activeElement?.id === 'typed-move'"


class Keyboard:
    """A player's keys at the board."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._graph: dict[str, dict[str, str]] = visitor.page.evaluate(_GRAPH_SCRIPT)
        self.press("b")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._visitor.page.keyboard.press(key)

    def go_to(self, cell: str) -> None:
        """Move the focus on the board by the arrow keys."""
        focused = self._visitor.page.evaluate(_FOCUSED_SCRIPT)
        if focused is None:
            self.press("b")
            focused = self._visitor.page.evaluate(_FOCUSED_SCRIPT)
        self.press(*self._way(focused, cell))
        expect(self._visitor.cell(cell)).to_be_focused()

    def choose(self, cell: str) -> None:
        """Choose a place of the board, once something can be done there."""
        self.go_to(cell)
        self.press("Enter")

    def type_move(self, text: str) -> None:
        """Type a move; the field keeps the focus."""
        if not self._visitor.page.evaluate(_IS_TYPING_SCRIPT):
            self.press("m")
        self._visitor.page.keyboard.type(text)
        self.press("Enter")

    def _way(self, start: str, goal: str) -> list[str]:
        ways: dict[str, list[str]] = {start: []}
        waiting = deque([start])
        while goal not in ways:
            cell = waiting.popleft()
            for key, further in self._graph[cell].items():
                if further not in ways:
                    ways[further] = [*ways[cell], key]
                    waiting.append(further)
        return ways[goal]

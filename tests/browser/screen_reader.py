"""The page as a screen reader has it: Chromium's accessibility tree, and nothing else."""

import re
from typing import Any, NamedTuple

from tests.browser.visitor import Visitor

_PRESS_SCRIPT = "function () { this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })); }"
"""What the browser does when assistive technology asks for a control's action: a click without a pointer."""


class Node(NamedTuple):
    """A node of the tree that is announced."""

    role: str
    name: str
    is_disabled: bool
    id: int


class ScreenReader:
    """Reads and operates a visitor's page through the accessibility tree."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._session = visitor.page.context.new_cdp_session(visitor.page)
        self._session.send("Accessibility.enable")

    def nodes(self) -> list[Node]:
        """Return the tree's nodes at this moment, in order."""
        tree = self._session.send("Accessibility.getFullAXTree")["nodes"]
        return [_node_of(node) for node in tree if not node["ignored"] and "backendDOMNodeId" in node]

    def find(self, role: str, name: str) -> list[Node]:
        """Return the enabled nodes of a role at this moment whose names match a regular expression."""
        pattern = re.compile(name)
        return [
            node for node in self.nodes() if node.role == role and pattern.search(node.name) and not node.is_disabled
        ]

    def wait_for(self, role: str, name: str) -> list[Node]:
        """Wait until there are such nodes, and return them."""
        found: list[Node] = []

        def is_there() -> bool:
            found[:] = self.find(role, name)
            return found != []

        self._visitor.wait_until(is_there)
        return found

    def press(self, node: Node) -> None:
        """Do what the control does."""
        resolved = self._session.send("DOM.resolveNode", {"backendNodeId": node.id})["object"]
        call = {"objectId": resolved["objectId"], "functionDeclaration": _PRESS_SCRIPT}
        self._session.send("Runtime.callFunctionOn", call)


def _node_of(node: dict[str, Any]) -> Node:
    properties = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    role, name = (node.get(part, {}).get("value", "") for part in ("role", "name"))
    return Node(role, name, bool(properties.get("disabled", False)), node["backendDOMNodeId"])

"""Kernels called by a game while reading a set-up text, before there is a board for `engine.bindings`."""

from collections.abc import Callable
from typing import Any


class SetupKernel:
    """An entry point to a kernel: `engine.bindings` chooses whether it is compiled or interpreted."""

    def __init__(self, kernel: Callable[..., Any], example: Callable[[], tuple[Any, ...]]) -> None:
        """Enter a kernel that accepts the result of `example`."""
        self.kernel = kernel
        self.example = example
        self.in_use = kernel
        """The kernel, or its interpreted twin."""

    def __call__(self, *arguments: Any) -> Any:
        """Call it."""
        return self.in_use(*arguments)

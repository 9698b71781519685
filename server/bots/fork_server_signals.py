"""Loaded by the fork server first: it ends with the server, and only then, also while it still loads the engine."""

from ..runtime.child_process import end_only_with_parent

end_only_with_parent()

"""What the fork server loads before it forks workers: the searcher. It then ends together with the server.

Importing this module changes the process, so only the fork server imports it.
"""

from ..child_process import end_with_parent
from . import searcher  # noqa: F401  # workers inherit the loaded engine

end_with_parent()

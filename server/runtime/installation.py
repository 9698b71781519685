"""What to type to install what is missing."""

import shlex
import sys


def install_command(extra: str) -> str:
    """Return the command that installs an extra into the environment of this process, from wherever it is called.

    Millrace itself is there already, so only the packages of the extra come from a registry.
    """
    return f"{shlex.quote(sys.executable)} -m pip install 'millrace[{extra}]'"

"""The command `millrace`. If a command needs packages that are not installed, it names the extra that brings them."""

import sys

from .extras import advice, extra_of


def main() -> None:
    """Run the command line."""
    try:
        from .cli import main as run  # noqa: PLC0415  # its packages may be missing

        run()
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if not extra_of(module):
            raise
        print(f"millrace: {advice(module, sys.argv[1:])}", file=sys.stderr)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()

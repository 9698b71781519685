"""Writes the generated files into the checkout that holds this module, or checks them with `--check`."""

import argparse
import sys
from pathlib import Path

from . import generate_documents

CHECKOUT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Write the files. With `--check`, report those that differ and exit with 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is out of date")
    is_check = parser.parse_args().check
    page = (CHECKOUT / "docs" / "protocol.md").read_text(encoding="utf-8")
    outdated = [
        (CHECKOUT / path, text)
        for path, text in generate_documents(page).items()
        if not (CHECKOUT / path).exists() or (CHECKOUT / path).read_text(encoding="utf-8") != text
    ]
    for path, text in outdated:
        print(f"{path.relative_to(CHECKOUT)} is out of date." if is_check else f"Wrote {path.relative_to(CHECKOUT)}.")
        if not is_check:
            path.write_text(text, encoding="utf-8")
    return 1 if is_check and outdated else 0


if __name__ == "__main__":
    sys.exit(main())

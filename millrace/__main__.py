"""`python -m millrace` is the command `millrace`."""

from .server.app.__main__ import main

if __name__ == "__main__":
    main()

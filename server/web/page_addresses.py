"""The addresses of the page; its script decides what to show there (`client/web/pages.js`)."""

PAGES = frozenset(
    {
        "/",
        "/account",
        "/analysis",
        "/archive",
        "/leaders",
        "/learn",
        "/moderation",
        "/offline",
        "/players",
        "/puzzles",
        "/settings",
        "/watch",
    }
)
PAGE_FOLDERS = (
    *("/analysis/", "/challenge/", "/editor/", "/learn/", "/match/"),
    *("/player/", "/puzzles/", "/study/", "/watch/"),
)
FILE_NAME = r"\.\w+$"
"""The end of a path to a file for download, which may be in these folders, such as an exported match."""


def is_page(path: str) -> bool:
    """Return whether the page is served at a path.

    >>> is_page("/match/m1"), is_page("/nothing")
    (True, False)
    """
    return path in PAGES or path.startswith(PAGE_FOLDERS)

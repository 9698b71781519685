"""Downloads from the archive."""

import asyncio
import urllib.request
from urllib.error import HTTPError

from tests.server.conftest import Served


async def fetch(served: Served, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers and text of a GET."""

    def get() -> tuple[int, dict[str, str], str]:
        request = urllib.request.Request(f"http://localhost:{served.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except HTTPError as error:
            return error.code, dict(error.headers), error.read().decode()

    return await asyncio.to_thread(get)

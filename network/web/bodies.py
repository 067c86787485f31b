"""What may be sent to an address: its media type, how large it is, and how it is read."""

from typing import Any, Final

from msgspec.json import Decoder
from starlette.requests import ClientDisconnect, Request

from companion.values import Value

LARGEST_JSON: Final = 100_000
"""Bytes; the largest is a whole configuration file."""


class Body(Value):
    """The media type of a body, and how many bytes it may have."""

    media: str = "application/json"
    largest: int = LARGEST_JSON


JSON: Final = Body()
PHOTO: Final = Body("image/jpeg", 1_500_000)
"""A photo, as a page sends it: some hundred kB, and up to 1280 pixels wide."""

DECK: Final = Body("application/octet-stream", 4_000_000)
"""The file of a deck; `firmware.extensions.camera.deck_files` takes no larger one."""

BODIES: Final = {"/photo": PHOTO, "/lesson": PHOTO, "/decks/file": DECK}
"""What is no JSON, by the path to which it is sent."""

_DECODER: Final = Decoder()
"""Unlike that of Python it takes no half characters, which could not be written or sent back."""

_NUL: Final = rb"\u0000"


async def json_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request; an empty one for anything else, and for a text that no database holds."""
    body = await bytes_of(request)
    try:
        found = {} if _NUL in body else _DECODER.decode(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


async def bytes_of(request: Request) -> bytes:
    """The body of a request; empty where it did not come whole."""
    try:
        return await request.body()
    except ClientDisconnect:
        return b""

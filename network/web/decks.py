"""The pages of the decks that a camera was taught, for a host: their list, and a lesson."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.core import games
from network.web.bodies import DECK
from network.web.camera import is_installed
from network.web.cards import cards_of, plain

if TYPE_CHECKING:
    from starlette.requests import Request

    from firmware.extensions.camera.deck_files import Header
    from firmware.text.translation import Translator
    from network.web.answers import ActAnswer
    from network.web.site import TableSite


async def list_page(site: TableSite, request: Request) -> Response:
    _need_a_camera()
    decks = await run_in_threadpool(site.camera.decks)
    return site.respond(request, "decks.html", **_list_facts(decks, request.state.t))


async def lesson_page(site: TableSite, request: Request) -> Response:
    """The lesson of the deck in the query; the list where it names none."""
    _need_a_camera()
    decks = await run_in_threadpool(site.camera.decks)
    lesson = _lesson_of(request.query_params, decks)
    if lesson is None:
        return site.respond(request, "decks.html", **_list_facts(decks, request.state.t))
    facts = _lesson_facts(*lesson, request.state.t, site.setting.box)
    return site.respond(request, "teach.html", encrypted=site.encrypted_address(request), **facts)


async def file(site: TableSite, request: Request) -> Response:
    """A deck as a file, which the page names."""
    content = await run_in_threadpool(site.camera.file, request.query_params.get("deck", ""))
    return Response(content, media_type=DECK.media, headers={"content-disposition": "attachment"})


async def photo(site: TableSite, request: Request, photo: bytes) -> ActAnswer:
    """Read a photo of a paired phone with the deck of the game in play."""
    table = site.link.snapshot.table if site.link.snapshot is not None else None
    return await site.camera.read(request.user.identity, photo, table, request.state.t)


async def lesson(site: TableSite, request: Request, photo: bytes) -> ActAnswer:
    """Take a photo of a host's phone for the lesson of a deck."""
    return await site.camera.teach(photo, request.query_params, request.state.t)


async def change(site: TableSite, request: Request, record: dict[str, Any]) -> ActAnswer:
    return await site.camera.change(record, request.state.t)


async def add(site: TableSite, request: Request, content: bytes) -> ActAnswer:
    return await site.camera.add(content, request.state.t)


def _need_a_camera() -> None:
    if not is_installed():
        raise HTTPException(404)


def _lesson_of(query: Mapping[str, str], found: Sequence[Header]) -> tuple[str, str] | None:
    """The name of the deck that is to be taught, and its game; None where a query names none."""
    name = query.get("deck", "").strip()
    game = next((deck.game for deck in found if deck.name == name), query.get("game", ""))
    return (name, game) if name and game in games.GAMES else None


def _list_facts(decks: Sequence[Header], t: Translator) -> dict[str, Any]:
    """What the template of the list knows of the decks."""
    facts: dict[str, Any] = {"decks": decks, "game_title": lambda game: games.module(game).TITLE}
    if decks:  # there are some only where the package of the camera is installed
        from firmware.extensions.camera.cards_in_play import different

        facts["different"] = different
    titles = {key: games.module(key).TITLE for key in games.GAMES if games.module(key).DECK}
    return {**facts, "titles": [(key, t.title(title)) for key, title in titles.items()]}


def _lesson_facts(deck: str, game: str, t: Translator, box: int) -> dict[str, Any]:
    """What the template of a lesson knows of the deck and its game: a card of each kind."""
    kinds = {card["name"]: card for card in reversed(cards_of(game, box, t).values())}
    cards = [(card["code"], plain(card["label"])) for card in reversed(kinds.values())]
    return {"deck": deck, "game": game, "cards": cards}

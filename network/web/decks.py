"""The pages of the decks that a camera was taught, for a host: their list, and a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.core import games
from companion.text.sentence import EMOJI, say
from network.web.answers import ActAnswer, refusal
from network.web.bodies import DECK
from network.web.camera import is_installed, lying, shown
from network.web.cards import cards_of
from network.web.permissions import HOST

if TYPE_CHECKING:
    from starlette.requests import Request

    from firmware.extensions.camera.deck_files import Header
    from network.web.site import TableSite


async def list_page(site: TableSite, request: Request) -> Response:
    decks = await _taught(site)
    facts: dict[str, Any] = {"decks": decks, "game_title": lambda game: games.module(game).TITLE}
    if decks:  # there are some only where the package of the camera is installed
        from firmware.extensions.camera.cards_in_play import different

        facts["different"] = different
    titles = {key: games.module(key).TITLE for key in games.GAMES if games.module(key).DECK}
    choices = [(key, request.state.t.title(title)) for key, title in titles.items()]
    return site.respond(request, "decks.html", titles=choices, **facts)


async def lesson_page(site: TableSite, request: Request) -> Response:
    """The lesson of the deck in the query; the list where it names none."""
    name, decks = request.query_params.get("deck", "").strip(), await _taught(site)
    game = next((deck.game for deck in decks if deck.name == name), request.query_params.get("game", ""))
    if not name or game not in games.GAMES:
        return await list_page(site, request)
    every = cards_of(game, site.setting.box, request.state.t).values()
    kinds = {card["name"]: card for card in reversed(every)}  # the first card of each kind
    cards = [(card["code"], card["label"].translate(EMOJI)) for card in reversed(kinds.values())]
    return site.respond(request, "teach.html", deck=name, game=game, cards=cards)


async def _taught(site: TableSite) -> Sequence[Header]:
    if not is_installed():
        raise HTTPException(404)
    return await run_in_threadpool(site.camera.decks)


async def file(site: TableSite, request: Request) -> Response:
    """A deck as a file, which the page names."""
    content = await run_in_threadpool(site.camera.file, request.query_params.get("deck", ""))
    return Response(content, media_type=DECK.media, headers={"content-disposition": "attachment"})


async def photo(site: TableSite, request: Request, photo: bytes) -> ActAnswer:
    """What a photo of a paired phone shows of the game in play: `cards`, and the size of the picture."""
    t, snapshot = request.state.t, site.link.snapshot
    table = None if snapshot is None else snapshot.table
    if table is None:
        return refusal("refused", t, say("No match is being played"))
    deck = await run_in_threadpool(site.camera.deck_of, table.game)
    if not deck:
        return refusal("no deck", t, say("No deck of this game has been taught yet."))
    answer = await site.camera.ask(request.user.identity, "read", t, photo, deck=deck)
    if not answer["accepted"]:
        return answer
    cards, lie = cards_of(table.game, site.setting.box, t), lying(table)
    return {**answer, "cards": [shown(reading, cards, lie) for reading in answer.pop("seen")]}


async def lesson(site: TableSite, request: Request, photo: bytes) -> ActAnswer:
    """Go on with the lesson of a deck; the `progress` has its cards as pages draw them.

    The query names the `deck`, its `game`, and perhaps the `card` that is taught again. An empty photo asks
    only how far it is.
    """
    t, query, box = request.state.t, request.query_params, site.setting.box
    game, card = query.get("game", ""), query.get("card", "")
    cards = cards_of(game, box, t) if game in games.GAMES else {}
    if not cards or (card and card not in cards):
        return refusal("malformed", t)
    of = [query.get("deck", "").strip(), game, str(box), card]
    answer = await site.camera.ask(HOST, "lesson", t, photo, of=of)
    if not answer["accepted"]:
        return answer
    progress = answer["progress"]
    drawn = {name: [cards[code] for code in progress[name]] for name in ("lay", "read", "doubtful")}
    return {**answer, "progress": {**progress, **drawn}}


async def change(site: TableSite, request: Request, record: dict[str, Any]) -> ActAnswer:
    """Give a deck another name, or remove it."""
    t, deck, name = request.state.t, record.get("deck"), record.get("name")
    if isinstance(deck, str) and record.get("remove") is True:
        return await site.camera.ask(HOST, "remove", t, deck=deck)
    if isinstance(deck, str) and isinstance(name, str):
        return await site.camera.ask(HOST, "rename", t, deck=deck, name=name)
    return refusal("malformed", t)


async def add(site: TableSite, request: Request, content: bytes) -> ActAnswer:
    """Add the deck of a file."""
    return await site.camera.ask(HOST, "add", request.state.t, content)

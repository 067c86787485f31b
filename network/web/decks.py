"""The pages of the decks that a camera was taught, for a host: their list, and a lesson."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.core import games
from companion.text.sentence import say
from network.web.answers import ActAnswer, refusal
from network.web.bodies import DECK
from network.web.camera import is_installed, lying, shown
from network.web.cards import cards_of, plain
from network.web.permissions import HOST

if TYPE_CHECKING:
    from starlette.requests import Request

    from firmware.extensions.camera.deck_files import Header
    from firmware.text.translation import Translator
    from network.web.site import TableSite


_NO_PHOTO: Final = say("That is not a photo.")


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
    """What a photo of a paired phone shows of the game in play: `cards`, and the size of the picture."""
    t, snapshot = request.state.t, site.link.snapshot
    table = None if snapshot is None else snapshot.table
    if table is None:
        return refusal("refused", t, say("No match is being played"))
    deck = await run_in_threadpool(site.camera.deck_of, table.game)
    if not deck:
        return refusal("no deck", t, say("No deck of this game was taught yet."))
    answer = await site.camera.ask(request.user.identity, "read", t, photo, deck=deck)
    if not answer["accepted"] or "width" not in answer:
        return answer if not answer["accepted"] else refusal("malformed", t, _NO_PHOTO)
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
    if not answer.get("is_photo", True):
        return refusal("malformed", t, _NO_PHOTO)
    progress = answer["progress"]
    drawn = {name: [cards[code] for code in progress[name]] for name in ("lay", "read")}
    alike = [[cards[code] for code in pair] for pair in progress["confusable"]]
    return {**answer, "progress": {**progress, **drawn, "confusable": alike}}


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

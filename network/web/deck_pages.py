"""The pages of the decks that a camera was taught, for a host: their list, and a lesson."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from companion.core import games
from companion.text.sentence import Text, say
from network.web.cards import cards_of, plain
from network.web.frame import ANSWER, Page, words
from network.web.pages import ACTING, SCANNING, encrypted_link, picture

if TYPE_CHECKING:
    from firmware.extensions.camera.deck_files import Header
    from firmware.text.translation import Translator

_TEXTS: Final[Mapping[str, Text]] = {
    **ACTING,
    "sending": say("Sending the file …"),
    "too_large": say("This file is too large for a deck."),
}

DECKS: Final = Page("decks", say("Decks for the camera"), "decks.js", _TEXTS)


_TEACHING: Final[Mapping[str, Text]] = {
    **ACTING,
    "lay": say("Lay these cards, row by row from left to right, their upper ends away from you."),
    "shift": say("Picture {number} of {all}: shift or turn each card a little, or change the light."),
    "count": say("{found} cards can be seen, {due} are needed. Lay them apart, and keep your hands away."),
    "order": say("They lie in another order than before. Lay them in the order below."),
    "shown": say("These cards were shown already. Lay those below."),
    "again": say("Lay these once more: they were not read for sure."),
    "done": say("All cards are taught."),
    "taught": say("{taught} of {all} cards"),
    "took": say("Picture taken."),
    "read_sure": say("Read for sure:"),
    "alike": say("It cannot tell these apart, and will ask:"),
    "waits": say("Hold the phone still, with all cards in the picture."),
    "stop": SCANNING["stop"],
    "no_camera": SCANNING["no_camera"],
    "not_a_picture": SCANNING["not_a_picture"],
}

TEACH: Final = Page("teach", say("Teach a deck"), "teach.js", _TEACHING)


def decks(found: Sequence[Header], t: Translator) -> str:
    """The list of the decks, with what can be done with each, as HTML."""
    about = say(
        "A deck that was shown to a camera once is read without labels: by a camera of the box, and by "
        "paired phones. The faces stay on this box."
    )
    none = "" if found else f"<p>{words(t, say('No deck was taught yet.'))}</p>"
    opened = "" if found else " open"
    new = f"<details{opened}><summary>{words(t, TEACH.title)}</summary>{_name_it(t)}</details>"
    return (
        f"<h1>{words(t, DECKS.title)}</h1><p>{words(t, about)}</p>{ANSWER}{none}"
        f'<ul id="decks" class="entries">{"".join(_deck(one, t) for one in found)}</ul>'
        f'{new}<label class="photo button"><span>{words(t, say("Take a deck from a file"))}</span>'
        '<input id="file" type="file" accept=".deck"></label>'
    )


def _deck(deck: Header, t: Translator) -> str:
    # There are decks only where the package of the camera is installed.
    from firmware.extensions.camera.cards_in_play import different

    name, asked = escape(deck.name), quote(deck.name)
    about = say("{taught} of {all} cards", taught=len(deck.cards), all=len(different(deck.game)))
    facts = [escape(t.title(games.module(deck.game).TITLE)), words(t, about)]
    if deck.box > 1:
        facts.append(words(t, say("box {box}", box=deck.box)))
    again, save = words(t, say("Teach more of it")), words(t, say("Save as a file"))
    label = words(t, say("Name"))
    return (
        f'<li class="entry" data-deck="{name}"><h2><bdi>{name}</bdi></h2>'
        f'<p class="soft">{" · ".join(facts)}</p>'
        f'<p class="links"><a class="button" href="/teach?deck={asked}">{again}</a>'
        f'<a class="button" href="/decks/file?deck={asked}" download="{name}.deck">{save}</a></p>'
        f"<details><summary>{words(t, say('Rename it'))}</summary>"
        f'<form class="form" data-do="rename"><label>{label}'
        f'<input name="name" maxlength="40" required value="{name}"></label>'
        f"<button>{words(t, say('Save the name'))}</button></form></details>"
        f"<details><summary>{words(t, say('Remove it'))}</summary>"
        '<form class="form" data-do="remove">'
        f"<p>{words(t, say('The box then no longer knows the cards of this deck.'))}</p>"
        f"<button>{words(t, say('Remove it'))}</button></form></details></li>"
    )


def lesson_of(query: Mapping[str, str], found: Sequence[Header]) -> tuple[str, str] | None:
    """The name of the deck that is to be taught, and its game; None where a query names none."""
    name = query.get("deck", "").strip()
    game = next((one.game for one in found if one.name == name), query.get("game", ""))
    return (name, game) if name and game in games.GAMES else None


def teach(name: str, game: str, t: Translator, *, box: int, secure: str = "") -> str:
    """The lesson of a deck, for its script.

    `secure` is the address of the page encrypted, where a browser gives it a live camera.
    """
    kinds = {card["name"]: card for card in reversed(cards_of(game, box, t).values())}
    options = "".join(
        f'<option value="{card["code"]}">\u2068{escape(plain(card["label"]))}\u2069</option>'
        for card in reversed(kinds.values())
    )
    return (
        f'<h1>{words(t, TEACH.title)}</h1><p class="soft"><bdi>{escape(name)}</bdi></p>'
        f"{encrypted_link(t, secure)}"
        f'<section id="lesson" data-deck="{escape(name)}" data-game="{game}">'
        '<p id="advice" class="ask" role="status"></p><p id="taught" class="soft"></p>'
        f'<progress id="bar" value="0" aria-labelledby="taught"></progress>'
        f'<div id="lay" class="given lay" dir="ltr"></div>{ANSWER}'
        f'<label class="photo button"><span>{words(t, say("Take a photo"))}</span>'
        '<input id="photo" type="file" accept="image/*" capture="environment"></label>'
        f'<button type="button" id="camera" hidden>{words(t, say("Live camera"))}</button>'
        f'{picture(t, reader=False)}<div id="results" aria-live="polite"></div>'
        f"<details><summary>{words(t, say('Teach one card again'))}</summary>"
        f'<form id="again" class="form"><label>{words(t, say("Card"))}<select name="card">{options}</select>'
        f"</label><button>{words(t, say('Show it again'))}</button></form></details></section>"
        f'<p class="links"><a class="button" href="/decks">{words(t, DECKS.title)}</a></p>'
    )


def _name_it(t: Translator) -> str:
    """The form that names a new deck and its game; it needs no script."""
    titles = "".join(
        f'<option value="{key}">\u2068{escape(t.title(games.module(key).TITLE))}\u2069</option>'
        for key in games.GAMES
        if games.module(key).DECK
    )
    why = say("The name tells it apart from others, such as another edition of the same game.")
    return (
        f'<p>{words(t, why)}</p><form class="form" action="/teach" method="get">'
        f'<label>{words(t, say("Name"))}<input name="deck" maxlength="40" required></label>'
        f'<label>{words(t, say("Game"))}<select name="game">{titles}</select></label>'
        f'<button class="main">{words(t, say("Go on"))}</button></form>'
    )

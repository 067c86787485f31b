"""What all pages share, those of a hub too: the frame around a page, its language, and pieces of HTML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.text.sentence import Decimals, Text, in_context, say
from companion.values import Value, field
from firmware.text import persian_font
from firmware.text.translation import DIGITS, LANGUAGES, Translator

if TYPE_CHECKING:
    from companion.core.tally import MatchTally

STATIC: Final = Path(__file__).parent / "static"

LANGUAGE_COOKIE: Final = "language"
_YEAR_S: Final = 365 * 86_400

NAVIGATION: Final[Mapping[str, Text]] = {
    "/": say("Table"),
    "/records": say("Matches"),
    "/join": say("Join"),
    "/host": say("Host"),
    "/print": say("Print"),
}
"""The pages that can be reached from every page, by their path."""

NOT_THERE: Final = say("There is nothing at this address.")
CHOOSE_ANOTHER: Final = say("Choose a page above.")

FOR_SCRIPTS: Final[Mapping[str, Text]] = {
    # where a page stands
    "connecting": say("Connecting …"),
    "lost": say("No connection to this page's server. What you see is not current. Trying again …"),
    "away": say("The game is not running at the moment. What you see is not current."),
    "live": say("Live"),
    # the table
    "no_match": say("No match is being played"),
    "waiting": say("As soon as somebody starts one, it is shown here."),
    "row": say("Row {row}"),
    "pile": say("The pile with {card} on top"),
    # Translators: before the cards that go on a pile, such as 8-17.
    "fits": say("next:"),
    "heads": say("{heads} heads"),
    "one_head": say("1 head"),
    # Translators: the points of a player in the deal that is being played, beside the total.
    "this_deal": say("this deal"),
    "beats": say("Higher are"),
    "takes": say("{player} takes {heads}"),
    "asked": say("their turn"),
    # signs of the games, for those who listen
    "bull": in_context("a sign on a card", "heads"),
    "rock": say("rock"),
    "paper": say("paper"),
    "scissors": say("scissors"),
    "green": say("green"),
    "yellow": say("yellow"),
    "red": say("red"),
    "joker": in_context("a card", "joker"),
    "again": say("AGAIN, REVERSE"),
    "challenge": say("CHALLENGE"),
    "bad_card": say("BAD CARD"),
    "swap": say("SWAP"),
}
"""What scripts say, by the name that they use. A fact stands in braces; the script puts it in."""


class Page(Value):
    """A page: its title, the module of static/ that runs in it, and its parts as HTML.

    `texts` are further texts for its script. `bare`: without navigation, as for a television.
    """

    name: str
    title: Text
    script: str = ""
    texts: Mapping[str, Text] = field(default_factory=dict)
    bare: bool = False


def respond(  # noqa: PLR0913 - the parts of a page
    request: Request,
    page: Page,
    translate: Translator,
    main: str,
    *,
    navigation: Mapping[str, Text] = NAVIGATION,
    styles: Sequence[str] = (),
    status: int = 200,
) -> Response:
    """A page as a response; `main` is what it holds, as HTML. It keeps the language that was asked for.

    `navigation` are the pages that can be reached from it, `styles` further files of static/.
    """
    title = words(translate, page.title)
    lines = [
        "<!doctype html>",
        f'<html lang="{translate.language}" dir="{"rtl" if translate.right_to_left else "ltr"}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="theme-color" content="#f3efe6" media="(prefers-color-scheme: light)">',
        '<meta name="theme-color" content="#0e1816" media="(prefers-color-scheme: dark)">',
        f"<title>{title} · nimmt</title>",
        '<link rel="stylesheet" href="/static/page.css">',
        *(f'<link rel="stylesheet" href="/static/{style}">' for style in styles),
        '<link rel="manifest" href="/manifest.webmanifest">',
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">',
        '<link rel="apple-touch-icon" href="/static/icon-180.png">',
        f'<script type="application/json" id="texts">{_texts(page, translate)}</script>',
    ]
    if page.script:
        lines.append(f'<script type="module" src="/static/{page.script}"></script>')
    lines += ["</head>", f'<body class="{page.name}" data-state="connecting">']
    if not page.bare:
        lines.append(_head(translate, request.url.path, navigation))
    live = '<p id="state" class="state" role="status" hidden></p>' if page.script else ""
    lines += [live, f'<main id="main">{main}</main>', "</body>", "</html>", ""]
    response = HTMLResponse("\n".join(lines), status)
    if request.query_params.get("language") == translate.language:
        response.set_cookie(
            LANGUAGE_COOKIE, translate.language, max_age=_YEAR_S, httponly=True, samesite="strict"
        )
    return response


def _head(translate: Translator, path: str, navigation: Mapping[str, Text]) -> str:
    skip = words(translate, say("Skip to the content"))
    links = "".join(
        f'<li><a href="{to}"{_current(to, path)}>{words(translate, text)}</a></li>'
        for to, text in navigation.items()
    )
    mark = ' aria-current="true"'
    languages = "".join(
        f'<li><a href="?language={key}" lang="{key}" hreflang="{key}"'
        f"{mark if key == translate.language else ''}>{escape(one.title)}</a></li>"
        for key, one in LANGUAGES.items()
    )
    pages, choice = words(translate, say("Pages")), words(translate, say("Language"))
    return (
        f'<a class="skip" href="#main">{skip}</a><header>'
        f'<nav aria-label="{pages}"><ul>{links}</ul></nav>'
        f'<nav class="languages" aria-label="{choice}"><ul>{languages}</ul></nav></header>'
    )


def _current(to: str, path: str) -> str:
    here = path == to or (to != "/" and path.startswith(f"{to}/"))
    return ' aria-current="page"' if here else ""


def _texts(page: Page, translate: Translator) -> str:
    """The texts for scripts, as JSON that can stand in HTML."""
    # A script fills in the fields of a template.
    told = {name: translate.template(text, 1) for name, text in {**FOR_SCRIPTS, **page.texts}.items()}
    told["digits"] = translate.say(DIGITS)
    told["calendar"] = "persian" if translate.solar_hijri else "gregory"  # as browsers call them
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def language_of(request: Request, usual: str) -> str:
    """The language for this request: asked for, chosen before, wanted by the browser, or `usual` here."""
    asked, cookie = request.query_params.get("language"), request.cookies.get(LANGUAGE_COOKIE)
    # Browsers sort the languages of this header by preference.
    header = request.headers.get("accept-language", "")[:200].split(",")
    accepted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in header)
    return next((one for one in (asked, cookie, *accepted) if one is not None and one in LANGUAGES), usual)


# ------------------------------------------------------------------------------------- files


def common_routes() -> list[BaseRoute]:
    """What all pages are made of."""
    return [
        Route("/manifest.webmanifest", _manifest),
        Mount("/static/fonts", StaticFiles(directory=persian_font.FOLDER)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


async def _manifest(_request: Request) -> Response:
    """What a phone needs to put the page on its home screen."""
    icons = [
        {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any"},
    ]
    record = {
        "name": "nimmt",
        "short_name": "nimmt",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#0e1816",
        "theme_color": "#0e1816",
        "icons": icons,
    }
    return JSONResponse(record, media_type="application/manifest+json")


# ------------------------------------------------------------------------------------- pieces

ANSWER: Final = '<p id="answer" class="told" role="status" aria-live="polite"></p>'


DIGIT: Final = r"\p{Nd}"
"""A digit of any script in the `pattern` of a field; `in_latin_digits` reads what is typed there."""


def words(translate: Translator, text: Text) -> str:
    return escape(translate.say(text))


def table_of(t: Translator, heads: Iterable[Text | str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML; the first of a row names it. Heads that are no texts are names."""
    head = "".join(
        f'<th scope="col">{escape(one) if isinstance(one, str) else words(t, one)}</th>' for one in heads
    )
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    return (
        '<div class="scroll" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def number_cell(cell: float | str | None, t: Translator) -> str:
    """A cell of a table: a whole number, a mean, a word, or nothing."""
    match cell:
        case None:
            return "–"
        case int():
            return t.number(cell)
        case float():
            return t.decimals(Decimals(cell, 1))
    return escape(cell)


def listing(t: Translator, none: Text, entries: Iterable[str], older: str = "") -> str:
    """A list of entries, or the sentence that there are none; `older` is the address of the next ones."""
    found = "".join(entries)
    link = f'<p><a class="button" href="{older}">{words(t, say("Older matches"))}</a></p>' if older else ""
    return f'{"" if found else f"<p>{words(t, none)}</p>"}<ul class="entries">{found}</ul>{link}'


_WON: Final = ' class="won"'


def totals(tally: MatchTally, names: Sequence[str], t: Translator) -> str:
    """The standing of a match as a short list; `names` are those of the seats."""
    lines = (
        f"<li{_WON if place.rank == 1 and tally.winners else ''}>"
        f"<bdi>{escape(' + '.join(names[seat] for seat in place.seats))}</bdi> "
        f"<b>{t.number(place.total)}</b></li>"
        for place in tally.places
    )
    return f'<ol class="totals">{"".join(lines)}</ol>'


def pairing_form(translate: Translator, title: Text, how: Text, why: Text, *, hosts: bool = False) -> str:
    """A form for a code of six digits and the name of who has it; `hosts`: who wants to be a host."""
    wants = " data-hosts" if hosts else ""
    return (
        f"<h1>{words(translate, title)}</h1><p>{words(translate, how)}</p>"
        f'<p class="soft">{words(translate, why)}</p><form id="pair" class="form"{wants}>'
        f'<label>{words(translate, say("Code"))}<input name="code" inputmode="numeric" '
        f'autocomplete="one-time-code" pattern="[{DIGIT} ]{{6,7}}" maxlength="7" required '
        'class="code" dir="ltr"></label>'
        f'<label>{words(translate, say("Name of this phone"))}<input name="name" maxlength="40"></label>'
        f'<button class="main">{words(translate, say("Pair"))}</button>{ANSWER}</form>'
    )

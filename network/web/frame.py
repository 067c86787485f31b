"""What all pages share, those of a hub too: templates and the frame around a page, its language, files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.text.sentence import Decimals, Text, in_context, say
from companion.values import Value, field
from firmware.text import persian_font
from firmware.text.translation import DIGITS, LANGUAGES, Translator

STATIC: Final = Path(__file__).parent / "static"
_TEMPLATES: Final = Path(__file__).parent / "templates"

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
    """What the frame says of a page: its name for styles, its title, the module of static/ that runs in it.

    `texts` are further texts for its script. `bare`: without navigation, as for a television.
    """

    name: str
    title: Text
    script: str = ""
    texts: Mapping[str, Text] = field(default_factory=dict)
    bare: bool = False


DIGIT: Final = r"\p{Nd}"
"""A digit of any script in the `pattern` of a field; `in_latin_digits` reads what is typed there."""


class Renderer:
    """Makes pages from templates: those of `folders`, and those of templates/ that all pages share.

    In a template `t` says texts in the language of the page. Whatever is put into one is escaped.
    `styles` are further files of static/.
    """

    def __init__(self, *folders: Path, styles: Sequence[str] = (), **names: object) -> None:
        self._environment = Environment(
            loader=FileSystemLoader([*folders, _TEMPLATES]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
        shared = {
            "DIGIT": DIGIT,
            "LANGUAGES": LANGUAGES,
            "in_context": in_context,
            "number_cell": number_cell,
        }
        self._environment.globals.update(shared, styles=styles, **names)

    def respond(  # noqa: PLR0913 - what a page is made of
        self,
        request: Request,
        page: Page,
        template: str,
        t: Translator,
        *,
        navigation: Mapping[str, Text],
        status: int = 200,
        **facts: Any,  # noqa: ANN401 - what the template asks for
    ) -> Response:
        """A page in its frame, which keeps the language that was asked for. Every thread may call it.

        `navigation` are the pages that can be reached from it.
        """
        frame = {
            "page": page,
            "texts": _texts(page, t),
            "navigation": navigation,
            "current": request.url.path,
        }
        html = self._environment.get_template("base.html").render(t=t, template=template, **frame, **facts)
        response = HTMLResponse(html, status)
        if request.query_params.get("language") == t.language:
            response.set_cookie(
                LANGUAGE_COOKIE, t.language, max_age=_YEAR_S, httponly=True, samesite="strict"
            )
        return response


def _texts(page: Page, t: Translator) -> dict[str, str]:
    """The texts for scripts, whose fields they fill in, and what else they know of the language."""
    texts = {name: t.template(text, 1) for name, text in {**FOR_SCRIPTS, **page.texts}.items()}
    calendar = "persian" if t.solar_hijri else "gregory"  # as browsers call them
    return {**texts, "digits": t.say(DIGITS), "calendar": calendar}


def number_cell(number: float | str | None, t: Translator) -> str:
    """A cell of a table as text: a whole number, a mean, a word, or nothing."""
    match number:
        case None:
            return "–"
        case int():
            return t.number(number)
        case float():
            return t.decimals(Decimals(number, 1))
    return number


def language_of(request: Request, usual: str) -> str:
    """The language for this request: asked for, chosen before, wanted by the browser, or `usual` here."""
    asked, cookie = request.query_params.get("language"), request.cookies.get(LANGUAGE_COOKIE)
    # Browsers sort the languages of this header by preference.
    header = request.headers.get("accept-language", "")[:200].split(",")
    accepted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in header)
    choices = (choice for choice in (asked, cookie, *accepted) if choice is not None)
    return next((choice for choice in choices if choice in LANGUAGES), usual)


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

"""The pages: a frame of HTML for each, with its words in a language. What moves in them is in static/."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from companion.core.codes import BADGES, Control, badge_code, control_code
from companion.text.sentence import Text, say
from companion.values import Value, field
from firmware.text.translation import DIGITS, LANGUAGES, Translator
from network.web.texts import ACTING, FOR_SCRIPTS, HOSTING, JOINING, NAVIGATION, SCANNING, SETTING

LANGUAGE_COOKIE: Final = "language"


class Page(Value):
    """A page: its title, the module of static/ that runs in it, and its parts as HTML.

    `texts` are further texts for its script. `bare`: without navigation, as for a television.
    """

    name: str
    title: Text
    script: str = ""
    texts: Mapping[str, Text] = field(default_factory=dict)
    bare: bool = False


TABLE: Final = Page("table", say("Table"), "table.js")
TV: Final = Page("tv", say("Table"), "table.js", bare=True)
PAIR: Final = Page("host", say("Pair this phone"), "pair.js", ACTING)
HOST: Final = Page("host", say("Host"), "host.js", {**ACTING, **HOSTING})
JOIN: Final = Page("join", say("Join"), "join.js", {**ACTING, **JOINING})
SCAN: Final = Page("scan", say("Scan with this phone"), "scan.js", {**ACTING, **SCANNING})
SETTINGS: Final = Page("settings", say("Settings"), "settings.js", {**ACTING, **SETTING})


def frame(  # noqa: PLR0913 - the parts of a page
    page: Page,
    translate: Translator,
    main: str,
    path: str,
    *,
    navigation: Mapping[str, Text] = NAVIGATION,
    styles: Sequence[str] = (),
) -> str:
    """The whole page as HTML; `main` is what it holds, as HTML. `path` is where it is.

    `navigation` are the pages that can be reached from it, `styles` further files of static/.
    """
    title = escape(translate.say(page.title))
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
        lines.append(_head(translate, path, navigation))
    live = '<p id="state" class="state" role="status" hidden></p>' if page.script else ""
    lines += [live, f'<main id="main">{main}</main>', "</body>", "</html>", ""]
    return "\n".join(lines)


def table(translate: Translator, live: str = "/live") -> str:
    """The parts of the table, for script; `live` is where it hears what changes."""
    standings, newest = escape(translate.say(say("Standings"))), escape(translate.say(say("Newest ruling")))
    return (
        f'<h1 class="unseen">{escape(translate.say(say("Table")))}</h1>'
        '<div id="game" class="game"></div><div id="ask" class="ask" role="status"></div>'
        f'<section id="board" class="board" data-live="{live}"></section>'
        f'<section class="side"><h2>{standings}</h2><ol id="places" class="places"></ol></section>'
        f'<section class="rulings"><h2>{newest}</h2>'
        '<ol id="newest" class="newest" aria-live="polite"></ol></section>'
    )


def pair(translate: Translator) -> str:
    """The form for the code on the display."""
    how = say("Open the menu of the box, choose PHONES, and type the six digits that its display shows.")
    why = say("A paired phone can press the keys of the box, scan and type. Watching needs no code.")
    return pairing_form(translate, PAIR.title, how, why)


def pairing_form(translate: Translator, title: Text, how: Text, why: Text) -> str:
    """A form for a code of six digits and the name of who has it."""
    return (
        f"<h1>{_t(translate, title)}</h1><p>{_t(translate, how)}</p>"
        f'<p class="soft">{_t(translate, why)}</p><form id="pair" class="form">'
        f'<label>{_t(translate, say("Code"))}<input name="code" inputmode="numeric" '
        'autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" required '
        'class="code" dir="ltr"></label>'
        f'<label>{_t(translate, say("Name of this phone"))}<input name="name" maxlength="40"></label>'
        f'<button class="main">{_t(translate, say("Pair"))}</button>{ANSWER}</form>'
    )


def host(translate: Translator, *, asks_for_time: bool = False) -> str:
    """The keys of the device, a pad for numbers, names, sums, corrections, and the paired phones.

    `asks_for_time`: the clock of the box was not set, and it would take the time of this phone.
    """
    t = translate
    display = _t(t, say("The display of the box"))
    rows, others = (
        "".join(
            f'<button type="button" data-key="{key}">{_t(t, text)}</button>'
            for key, text in _KEYS.items()
            if key.startswith("row_") is is_row
        )
        for is_row in (True, False)
    )
    badges = "".join(
        f'<button type="button" data-code="{badge_code(badge)}" data-badge="{badge}">{badge}</button>'
        for badge in BADGES
    )
    controls = "".join(
        f'<button type="button" data-code="{control_code(control)}" data-control="{control.name.lower()}">'
        f"{_t(t, text)}</button>"
        for control, text in _CONTROLS.items()
    )
    numbers = "".join(f'<option value="{badge}">{badge}</option>' for badge in BADGES)
    return (
        f'<div class="headed"><h1>{_t(t, HOST.title)}</h1>'
        f'<p class="links"><a class="button" href="/scan">{_t(t, SCAN.title)}</a> '
        f'<a class="button" href="/settings">{_t(t, SETTINGS.title)}</a></p></div>{ANSWER}'
        f'<div class="columns">{_clock(t) if asks_for_time else ""}'
        f"<section><h2>{display}</h2>"
        f'<canvas id="display" width="128" height="64" role="img" aria-label="{display}"></canvas>'
        f'<div class="keys" dir="ltr">{others}</div><div class="keys" dir="ltr">{rows}</div></section>'
        f"<section><h2>{_t(t, say('Card or number'))}</h2>{_pad(t)}</section>"
        f'<section id="sums" hidden><h2>{_t(t, say("Points of this deal"))}</h2>'
        '<form class="form sums"></form></section>'
        f'<section><h2>{_t(t, say("Player cards"))}</h2><div class="badges">{badges}</div></section>'
        f"<section><h2>{_t(t, say('Corrections'))}</h2>{_corrections(t)}"
        f'<div class="choices">{controls}</div></section>'
        f'<section><h2>{_t(t, say("Names"))}</h2><form id="name" class="form">'
        f'<label>{_t(t, say("Player card"))}<select name="badge">{numbers}</select></label>'
        f'<label>{_t(t, say("Name"))}<input name="name" maxlength="24" autocomplete="off"></label>'
        f"<button>{_t(t, say('Save the name'))}</button></form></section>"
        f'<section><h2>{_t(t, say("Paired phones"))}</h2><ul id="phones" class="entries"></ul></section>'
        f'<section><h2>{_t(t, say("Backup"))}</h2><p class="soft">'
        f"{_t(t, say('A copy of all matches, checked before it is sent.'))}</p>"
        '<p><a class="button" href="/backup" download>'
        f"{_t(t, say('Download the backup'))}</a></p></section></div>"
    )


def _clock(t: Translator) -> str:
    """The offer to take the time of this phone; the script fills in the time."""
    why = say("The clock of the box was not set since it was switched on: dates of matches may be wrong.")
    return (
        f'<section id="clock"><h2>{_t(t, say("Clock"))}</h2><p>{_t(t, why)}</p>'
        f'<button type="button">{_t(t, say("Take the time of this phone"))}</button>'
        '<p class="soft"><time></time></p></section>'
    )


def _corrections(t: Translator) -> str:
    """The corrections as forms: what is wrong, what is right, and what that changes before it counts."""

    def form(name: str, title: Text, fields: str, word: Text) -> str:
        return (
            f'<details id="{name}" hidden><summary>{_t(t, title)}</summary>'
            f'<form class="form">{fields}<button>{_t(t, word)}</button></form></details>'
        )

    def label(text: Text, field: str) -> str:
        return f"<label>{_t(t, text)}{field}</label>"

    show = say("Show what it changes")
    wrong = label(say("The wrong card"), '<select name="wrong"></select>') + label(
        say("The right card"), '<input name="right" inputmode="numeric" pattern="[0-9]+" required>'
    )
    swap = label(say("Whose card"), '<select name="one"></select>') + label(
        say("and whose"), '<select name="other"></select>'
    )
    edit = label(say("Deal"), '<select name="deal"></select>') + '<div class="scores form sums"></div>'
    return (
        f'<div id="changes" class="changes" role="status" hidden><h3>{_t(t, say("This would change"))}</h3>'
        f'<ul></ul><p class="links"><button type="button" class="main" data-key="ok">'
        f"{_t(t, say('Change it'))}</button>"
        f'<button type="button" data-key="undo">{_t(t, say("Leave it"))}</button></p></div>'
        + form("wrong", _CONTROLS[Control.WRONG], wrong, say("Correct it"))
        + form("swap", _CONTROLS[Control.SWAP], swap, show)
        + form("edit", _CONTROLS[Control.EDIT], edit, show)
    )


def join(translate: Translator) -> str:
    """The phone of one player: who it is, what is asked, and the answers."""
    t = translate
    badges = "".join(
        f'<option value="{badge}" data-code="{badge_code(badge)}">{badge}</option>' for badge in BADGES
    )
    return (
        f'<h1 class="unseen">{_t(t, JOIN.title)}</h1>'
        f'<section id="sit" hidden><h2>{_t(t, say("Take a seat"))}</h2><form class="form">'
        f"<label>{_t(t, say('Your name'))}"
        '<input name="name" maxlength="24" autocomplete="given-name"></label>'
        f'<label>{_t(t, say("Your player card"))}<select name="badge">{badges}</select></label>'
        f'<button class="main">{_t(t, say("Take this seat"))}</button></form></section>'
        f'<section id="who" hidden><h2>{_t(t, say("Who are you?"))}</h2><div class="choices"></div></section>'
        '<section id="play" hidden><p id="me" class="me"></p><div id="turn" class="turn" role="status"></div>'
        f'<div id="choices" class="choices"></div>{ANSWER}<ol id="rows" class="places"></ol></section>'
    )


def scan(translate: Translator, *, reader: bool, secure: str = "") -> str:
    """A photo as a scan, and a pad for numbers; `reader`: the part that reads codes is installed.

    `secure` is the address of the same page encrypted, where a browser gives it a live camera.
    """
    t = translate
    live = say("Live camera, on the encrypted page")
    warns = say(
        "The browser warns of its certificate once. It is the right one if its SHA-256 is that on the "
        "display: menu, PHONES, CERTIFICATE. Then pair this phone there as well."
    )
    encrypted = (
        f'<p><a class="button" href="{escape(secure)}">{_t(t, live)}</a></p>'
        f'<p class="soft">{_t(t, warns)}</p>'
        if secure
        else ""
    )
    photo = (
        f'<label class="photo button"><span>{_t(t, say("Take a photo"))}</span>'
        '<input id="photo" type="file" accept="image/*" capture="environment"></label>'
        f'<button type="button" id="camera" hidden>{_t(t, say("Live camera"))}</button>'
        '<video id="video" playsinline muted hidden></video>'
        f'<p class="soft">{_t(t, say("One card, or all cards of a turn side by side, in any order."))}</p>'
    )
    missing = say("The part of the page that reads photos is not installed. The numbers below always work.")
    return (
        f"<h1>{_t(t, SCAN.title)}</h1>"
        + (photo + encrypted if reader else f"<p>{_t(t, missing)}</p>")
        + f'{ANSWER}<ol id="found" class="found"></ol>'
        f"<h2>{_t(t, say('Card or number'))}</h2>{_pad(t)}"
        f'<h2>{_t(t, say("Keys"))}</h2><div class="keys" dir="ltr">'
        f'<button type="button" data-key="ok">{_t(t, _KEYS["ok"])}</button>'
        f'<button type="button" data-key="undo">{_t(t, _KEYS["undo"])}</button></div>'
    )


ANSWER: Final = '<p id="answer" class="told" role="status" aria-live="polite"></p>'

_KEYS: Final[Mapping[str, Text]] = {
    "up": say("▲ UP"),
    "down": say("▼ DOWN"),
    "ok": say("OK"),
    "undo": say("UNDO"),
    "row_1": say("ROW {row}", row=1),
    "row_2": say("ROW {row}", row=2),
    "row_3": say("ROW {row}", row=3),
    "row_4": say("ROW {row}", row=4),
    "why": say("WHY?"),
    "menu": say("MENU"),
}
"""The keys of the device, by the name that the script uses."""

_CONTROLS: Final[Mapping[Control, Text]] = {
    Control.REDO: say("Redo"),
    Control.WRONG: say("A card was wrong"),
    Control.SWAP: say("Swap two owners"),
    Control.EDIT: say("Correct a score"),
    Control.ABSENT: say("Players join or leave"),
    Control.AUDIT: say("Check the table"),
}


def _pad(translate: Translator) -> str:
    """Numbers to type or to touch. The keyboard of a phone would hide half of the page."""
    digits = "".join(
        f'<button type="button" data-digit="{digit}">{digit}</button>'
        for digit in (1, 2, 3, 4, 5, 6, 7, 8, 9)
    )
    label, back = _t(translate, say("Number")), _t(translate, say("Delete a digit"))
    return (
        f'<form id="pad" class="pad" dir="ltr"><input name="number" inputmode="none" autocomplete="off" '
        f'maxlength="5" pattern="-?[0-9]+" required aria-label="{label}">{digits}'
        f'<button type="button" data-digit="back" aria-label="{back}">⌫</button>'
        '<button type="button" data-digit="0">0</button>'
        f'<button class="main">{_t(translate, say("Enter"))}</button></form>'
    )


def _t(translate: Translator, text: Text) -> str:
    return escape(translate.say(text))


def chosen(asked: str | None, cookie: str | None, accepted: str, usual: str) -> str:
    """The language of a page: what was asked for, was chosen before, the browser wants, or is usual here."""
    for one in (asked, cookie, *_accepted(accepted)):
        if one is not None and one in LANGUAGES:
            return one
    return usual


def _accepted(header: str) -> Sequence[str]:
    """The languages of an `Accept-Language` header in its order, which browsers sort by preference."""
    return [part.partition(";")[0].strip().partition("-")[0].lower() for part in header[:200].split(",")]


def _head(translate: Translator, path: str, navigation: Mapping[str, Text]) -> str:
    skip = escape(translate.say(say("Skip to the content")))
    links = "".join(
        f'<li><a href="{to}"{_current(to, path)}>{escape(translate.say(text))}</a></li>'
        for to, text in navigation.items()
    )
    mark = ' aria-current="true"'
    languages = "".join(
        f'<li><a href="?language={key}" lang="{key}" hreflang="{key}"'
        f"{mark if key == translate.language else ''}>{escape(one.title)}</a></li>"
        for key, one in LANGUAGES.items()
    )
    pages, choice = escape(translate.say(say("Pages"))), escape(translate.say(say("Language")))
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
    told = {name: _template(text, translate) for name, text in {**FOR_SCRIPTS, **page.texts}.items()}
    told["digits"] = translate.say(DIGITS)
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _template(text: Text, translate: Translator) -> str:
    """The template of a text with its fields left open, for a script to fill in."""
    return translate.template(text, 1)

"""The pages of a table as HTML, with the words of their scripts. What moves in them is in static/."""

from collections.abc import Mapping
from html import escape
from typing import Final

from companion.core.codes import BADGES, ROWS, Control, badge_code, control_code, row_code
from companion.text.sentence import Text, say
from firmware.text.translation import Translator
from network.web.frame import ANSWER, DIGIT, Page, pairing_form, words

ACTING: Final[Mapping[str, Text]] = {
    "sent": say("Done"),
    "unreachable": say("The page's server does not answer."),
    "unpaired": say("This phone is no longer paired."),
    "wait": say("Too many tries. Wait half a minute."),
    "wrong_code": say("That is not the code on the display."),
    "allow": say("The box now asks whether to allow this. Press OK there within a minute."),
}
"""What pages say that act at the table."""

HOSTING: Final[Mapping[str, Text]] = {
    "enter": say("Enter"),
    "close_deal": say("All points are right: end the deal"),
    "forget": say("Forget"),
    "this_phone": say("this phone"),
    "hosts": say("host"),
}

JOINING: Final[Mapping[str, Text]] = {
    "you": say("You are {player}"),
    "somebody_else": say("I am somebody else"),
    "your_turn": say("It is your turn"),
    "did_you_play": say("Did you play {card}?"),
    "then_choose": say("Then choose the row."),
    "box_waits": say("The box waits for something else: {title}"),
    "box_waits_there": say("The box waits for something else. Look at its display."),
    "wait_for": say("Waiting for {player}"),
    "wait_for_all": say("Everybody plays a card: {have} of {need} are there"),
    "missing": say("Your card is missing"),
    "scan": say("Scan a card"),
    "mine": say("I played {card}"),
}

SCANNING: Final[Mapping[str, Text]] = {
    "reading": say("Reading the photo …"),
    "nothing": say("No code was found. Go closer, and hold the phone still."),
    "not_a_picture": say("This phone cannot open that picture."),
    "scanned": say("Scanned"),
    "not_scanned": say("Not scanned"),
    "stop": say("Stop the camera"),
    "no_camera": say("The camera cannot be used: {cause}"),
    "nothing_read": say("No card was read. Go closer, and hold the phone still."),
    # Translators: two or three cards, one of which the camera sees.
    "which": say("{one} or {other}?"),
    "one_of": say("{one}, {other} or {third}?"),
    "is_it": say("Is it {one}?"),
}

SETTING: Final[Mapping[str, Text]] = {
    "saved": say("Saved."),
    "after_restart": say("The game uses it when it is started again. A match continues where it is."),
    "end_and_start": say("End the game and start it again, then it uses what is saved."),
    "restarting": say("The game is starting again …"),
    "nothing_changed": say("Nothing was changed."),
    "faults": say("This cannot be used. Nothing was saved."),
}

TABLE: Final = Page("table", say("Table"), "table.js")
TV: Final = Page("tv", say("Table"), "table.js", bare=True)
PAIR: Final = Page("host", say("Pair this phone"), "pair.js", ACTING)
HOST: Final = Page("host", say("Host"), "host.js", {**ACTING, **HOSTING})
JOIN: Final = Page("join", say("Join"), "join.js", {**ACTING, **JOINING})
SCAN: Final = Page("scan", say("Scan with this phone"), "scan.js", {**ACTING, **SCANNING})
SETTINGS: Final = Page("settings", say("Settings"), "settings.js", {**ACTING, **SETTING})


def table(translate: Translator, live: str = "/live") -> str:
    """The parts of the table, for script; `live` is where it hears what changes."""
    standings, newest = words(translate, say("Standings")), words(translate, say("Newest ruling"))
    return (
        f'<h1 class="unseen">{words(translate, say("Table"))}</h1>'
        '<div id="game" class="game"></div><div id="ask" class="ask" role="status"></div>'
        f'<section id="board" class="board" data-live="{live}"></section>'
        f'<section class="side"><h2>{standings}</h2><ol id="places" class="places"></ol></section>'
        f'<section class="rulings"><div class="headed"><h2>{newest}</h2>{_voice(translate)}</div>'
        '<ol id="newest" class="newest" aria-live="polite"></ol></section>'
    )


def _voice(t: Translator) -> str:
    """The button that lets the browser speak; its script shows it where the browser can."""
    word = words(t, say("Read aloud"))
    return f'<button type="button" id="voice" class="quiet" aria-pressed="false" hidden>{word}</button>'


def pair(translate: Translator, *, hosts: bool = False) -> str:
    """The form that pairs a phone; with `hosts`, as the phone of a host."""
    how = say("Open the menu of the box, choose PHONES, and type the six digits that its display shows.")
    if hosts:
        why = say(
            "Settings, a backup and other phones need the phone of a host: type the code, and somebody at "
            "the box presses OK."
        )
        return pairing_form(translate, say("The phone of a host"), how, why, hosts=True)
    why = say("A paired phone can press the keys of the box, scan and type. Watching needs no code.")
    return pairing_form(translate, PAIR.title, how, why)


def host(
    translate: Translator, *, asks_for_time: bool = False, hosts: bool = False, teaches: bool = False
) -> str:
    """The keys of the device, a pad for numbers, names, sums and corrections.

    `hosts`: it is the phone of a host, which sees the other phones, and gets a backup; one that `teaches`
    gets to the decks of a camera. `asks_for_time`: the clock of the box was not set, and it would take the
    time of this phone.
    """
    t = translate
    decks = f' <a class="button" href="/decks">{words(t, say("Decks"))}</a>' if teaches else ""
    display = words(t, say("The display of the box"))
    rows, others = (
        "".join(
            f'<button type="button" data-key="{key}">{words(t, text)}</button>'
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
        f"{words(t, text)}</button>"
        for control, text in _CONTROLS.items()
    )
    numbers = "".join(f'<option value="{badge}">{badge}</option>' for badge in BADGES)
    return (
        f'<div class="headed"><h1>{words(t, HOST.title)}</h1>'
        f'<p class="links"><a class="button" href="/scan">{words(t, SCAN.title)}</a> '
        f'<a class="button" href="/settings">{words(t, SETTINGS.title)}</a>{decks}</p></div>{ANSWER}'
        f'<div class="columns">{_clock(t) if asks_for_time else ""}'
        f"<section><h2>{display}</h2>"
        f'<canvas id="display" width="128" height="64" role="img" aria-label="{display}"></canvas>'
        f'<div class="keys" dir="ltr">{others}</div><div class="keys" dir="ltr">{rows}</div></section>'
        f"<section><h2>{words(t, say('Card or number'))}</h2>{_pad(t)}</section>"
        f'<section id="sums" hidden><h2>{words(t, say("Points of this deal"))}</h2>'
        '<form class="form sums"></form></section>'
        f'<section><h2>{words(t, say("Badges"))}</h2><div class="badges">{badges}</div></section>'
        f"<section><h2>{words(t, say('Corrections'))}</h2>{_corrections(t)}"
        f'<div class="choices">{controls}</div></section>'
        f'<section><h2>{words(t, say("Names"))}</h2><form id="name" class="form">'
        f'<label>{words(t, say("Badge"))}<select name="badge">{numbers}</select></label>'
        f'<label>{words(t, say("Name"))}<input name="name" maxlength="24" autocomplete="off"></label>'
        f"<button>{words(t, say('Save the name'))}</button></form></section>"
        f"{_of_a_host(t) if hosts else ''}</div>"
    )


def _of_a_host(t: Translator) -> str:
    """The other phones, and a backup."""
    about = say("A copy of all matches, checked before it is sent.")
    hands = say(
        "It also has the hands of a deal that is being played: whoever is playing should not look into it."
    )
    return (
        f'<section><h2>{words(t, say("Paired phones"))}</h2><ul id="phones" class="entries"></ul></section>'
        f'<section><h2>{words(t, say("Backup"))}</h2><p class="soft">{words(t, about)}</p>'
        f'<p class="soft">{words(t, hands)}</p><p><a class="button" href="/backup" download>'
        f"{words(t, say('Download the backup'))}</a></p></section>"
    )


def _clock(t: Translator) -> str:
    """The offer to take the time of this phone; the script fills in the time."""
    why = say("The clock of the box was not set since it was switched on: dates of matches may be wrong.")
    return (
        f'<section id="clock"><h2>{words(t, say("Clock"))}</h2><p>{words(t, why)}</p>'
        f'<button type="button">{words(t, say("Take the time of this phone"))}</button>'
        '<p class="soft"><time></time></p></section>'
    )


def _corrections(t: Translator) -> str:
    """The corrections as forms: what is wrong, what is right, and what that changes before it counts."""

    def form(name: str, title: Text, fields: str, word: Text) -> str:
        return (
            f'<details id="{name}" hidden><summary>{words(t, title)}</summary>'
            f'<form class="form">{fields}<button>{words(t, word)}</button></form></details>'
        )

    def label(text: Text, field: str) -> str:
        return f"<label>{words(t, text)}{field}</label>"

    show = say("Show what it changes")
    wrong = label(say("The wrong card"), '<select name="wrong"></select>') + label(
        say("The right card"), f'<input name="right" inputmode="numeric" pattern="{DIGIT}+" required>'
    )
    swap = label(say("Whose card"), '<select name="one"></select>') + label(
        say("and whose"), '<select name="other"></select>'
    )
    edit = label(say("Deal"), '<select name="deal"></select>') + '<div class="scores form sums"></div>'
    return (
        '<div id="changes" class="changes" role="status" hidden>'
        f"<h3>{words(t, say('This would change'))}</h3><ul></ul>"
        '<p class="links"><button type="button" class="main" data-key="ok">'
        f"{words(t, say('Change it'))}</button>"
        f'<button type="button" data-key="undo">{words(t, say("Leave it"))}</button></p></div>'
        + form("wrong", _CONTROLS[Control.WRONG], wrong, say("Correct it"))
        + form("swap", _CONTROLS[Control.SWAP], swap, show)
        + form("edit", _CONTROLS[Control.EDIT], edit, show)
    )


def join(translate: Translator) -> str:
    """The phone of one player: who it is, what is asked, and the answers."""
    t = translate
    badges = "".join(
        f'<option value="{badge}" data-code="{badge_code(badge)}" '
        f'data-rows="{" ".join(row_code(badge, row) for row in ROWS)}">{badge}</option>'
        for badge in BADGES
    )
    return (
        f'<h1 class="unseen">{words(t, JOIN.title)}</h1>'
        f'<section id="sit" hidden><h2>{words(t, say("Take a seat"))}</h2><form class="form">'
        f"<label>{words(t, say('Your name'))}"
        '<input name="name" maxlength="24" autocomplete="given-name"></label>'
        f'<label>{words(t, say("Your badge"))}<select name="badge">{badges}</select></label>'
        f'<button class="main">{words(t, say("Take this seat"))}</button></form></section>'
        f'<section id="who" hidden><h2>{words(t, say("Who are you?"))}</h2>'
        '<div class="choices"></div></section>'
        '<section id="play" hidden><p id="me" class="me"></p><div id="turn" class="turn" role="status"></div>'
        f'<form id="mine" class="form" hidden><label>{words(t, say("Your card"))}'
        f'<input name="card" inputmode="numeric" autocomplete="off" pattern="{DIGIT}+" required>'
        f"</label><button>{words(t, say('Play this card'))}</button></form>"
        '<div id="choices" class="choices"></div>'
        f'<button type="button" id="undo" class="quiet">{words(t, say("Undo"))}</button></section>{ANSWER}'
        f'<p class="links">{_voice(t)}</p><p id="said" class="unseen" role="status"></p>'
    )


def scan(translate: Translator, *, reader: bool, secure: str = "", faces: bool = False) -> str:
    """A photo as a scan, and a pad for numbers; `reader`: the part that reads codes is installed.

    `secure` is the address of the same page encrypted, where a browser gives it a live camera. `faces`: the
    box reads cards without codes.
    """
    t = translate
    photo = (
        f'<label class="photo button"><span>{words(t, say("Take a photo"))}</span>'
        '<input id="photo" type="file" accept="image/*" capture="environment"></label>'
        f'<button type="button" id="camera" hidden>{words(t, say("Live camera"))}</button>'
        f"{picture(t, reader=reader) if faces else VIDEO}"
        f'<p class="soft">{words(t, say("One card, or all cards of a turn side by side, in any order."))}</p>'
    )
    missing = say("The part of the page that reads photos is not installed. The numbers below always work.")
    return (
        f"<h1>{words(t, SCAN.title)}</h1>"
        + (photo + encrypted_link(t, secure) if reader or faces else f"<p>{words(t, missing)}</p>")
        + f'{ANSWER}<ol id="found" class="found" aria-live="polite"></ol>'
        f"<h2>{words(t, say('Card or number'))}</h2>{_pad(t)}"
        f'<h2>{words(t, say("Keys"))}</h2><div class="keys" dir="ltr">'
        f'<button type="button" data-key="ok">{words(t, _KEYS["ok"])}</button>'
        f'<button type="button" data-key="undo">{words(t, _KEYS["undo"])}</button></div>'
    )


def encrypted_link(t: Translator, secure: str) -> str:
    """The way to the same page where a browser gives a live camera, if there is one."""
    live = say("Live camera, on the encrypted page")
    warns = say(
        "The browser warns of its certificate once. It is the right one if its SHA-256 is that on the "
        "display: menu, PHONES, CERTIFICATE. Then pair this phone there as well."
    )
    link = f'<p><a class="button" href="{escape(secure)}">{words(t, live)}</a></p>'
    return f'{link}<p class="soft">{words(t, warns)}</p>' if secure else ""


VIDEO: Final = '<video id="video" playsinline muted hidden></video>'


def picture(t: Translator, *, reader: bool) -> str:
    """Where the phone draws what the box has read, and asks for what it is not sure of."""
    codes = " data-codes" if reader else ""
    what = words(t, say("The picture, with what was read in it"))
    own = words(t, say("The box reads the photo and does not keep it."))
    return (
        f'<div id="view" class="view" hidden>{VIDEO}'
        f'<canvas id="picture" role="img" aria-label="{what}"{codes}></canvas></div>'
        f'<div id="unsure" class="unsure" aria-live="polite"></div><p class="soft">{own}</p>'
    )


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
    label, back = words(translate, say("Number")), words(translate, say("Delete a digit"))
    return (
        f'<form id="pad" class="pad" dir="ltr"><input name="number" inputmode="none" autocomplete="off" '
        f'maxlength="5" pattern="-?{DIGIT}+" required aria-label="{label}">{digits}'
        f'<button type="button" data-digit="back" aria-label="{back}">⌫</button>'
        '<button type="button" data-digit="0">0</button>'
        f'<button class="main">{words(translate, say("Enter"))}</button></form>'
    )

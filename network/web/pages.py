"""The pages of a table, with the words of their scripts. What they consist of is in templates/."""

from collections.abc import Mapping
from typing import Final

from companion.text.sentence import Text, say
from network.web.frame import Page

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

"""The words of the pages that are not words of the display, for all scripts and pages in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.text.sentence import Text, in_context, say

NAVIGATION: Final[Mapping[str, Text]] = {
    "/": say("Table"),
    "/records": say("Matches"),
    "/join": say("Join"),
    "/host": say("Host"),
}
"""The pages that can be reached from every page, by their path."""

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
}
"""What scripts say, by the name that they use. A fact stands in braces; the script puts it in."""

ACTING: Final[Mapping[str, Text]] = {
    "sent": say("Done"),
    "unreachable": say("The page's server does not answer."),
    "unpaired": say("This phone is no longer paired."),
    "wait": say("Too many tries. Wait half a minute."),
    "wrong_code": say("That is not the code on the display."),
}
"""What pages say that act at the table."""

HOSTING: Final[Mapping[str, Text]] = {
    "enter": say("Enter"),
    "close_deal": say("All points are right: end the deal"),
    "forget": say("Forget"),
    "this_phone": say("this phone"),
}

JOINING: Final[Mapping[str, Text]] = {
    "you": say("You are {player}"),
    "somebody_else": say("I am somebody else"),
    "your_turn": say("It is your turn"),
    "wait_for": say("Waiting for {player}"),
    "wait_for_all": say("Everybody plays a card: {have} of {need} are there"),
    "missing": say("Your card is missing"),
    "scan": say("Scan a card"),
    "mine": say("I played {card}"),
    "pile": say("Pile {pile}"),
}

SCANNING: Final[Mapping[str, Text]] = {
    "reading": say("Reading the photo …"),
    "nothing": say("No code was found. Go closer, and hold the phone still."),
    "not_a_picture": say("That is no picture that this phone can open."),
    "scanned": say("Scanned"),
    "not_scanned": say("Not scanned"),
    "stop": say("Stop the camera"),
    "no_camera": say("The camera cannot be used: {cause}"),
}

SETTING: Final[Mapping[str, Text]] = {
    "saved": say("Saved."),
    "after_restart": say("The game uses it when it is started again. A match goes on where it is."),
    "end_and_start": say("End the game and start it again, then it uses what is saved."),
    "restarting": say("The game is starting again …"),
    "nothing_changed": say("Nothing was changed."),
    "faults": say("This cannot be used. Nothing was saved."),
}

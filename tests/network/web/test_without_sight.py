"""Who sees nothing plays with a phone alone: by what a screen reader is told of the pages, and a keyboard."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from companion.core.ask import Answer, Gives
from companion.core.cards import Seat
from companion.core.codes import badge_code
from companion.match.dealer import Dealer
from firmware.commands.players import SimulatedGroup
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key, Scanned
from tests.gallery.scripts import UNTIL_10_KEYS
from tests.network.web.browser import PHONE, Browser, needed
from tests.patience import comes

if TYPE_CHECKING:
    from companion.match.match import Match
    from tests.network.web.served import Served

pytestmark = [needed, pytest.mark.slow]


KEYS = {
    "OK": Key.OK,
    **{f"R{row}": key for row, key in enumerate(ROW_KEYS, start=1)},
    "#4": Key.ROW_4,  # the fourth thing of a list
}


class ScreenReader:
    """The accessibility tree of a tab, and a keyboard: nothing here looks at the page."""

    def __init__(self, chromium: Browser) -> None:
        self._chromium = chromium

    def nodes(self) -> list[tuple[str, str, int]]:
        """Role, name and node of everything that is told, in the order of reading."""
        self._chromium.command("Accessibility.enable")
        tree = self._chromium.command("Accessibility.getFullAXTree")["nodes"]
        return [
            (one["role"]["value"], one.get("name", {}).get("value", ""), one.get("backendDOMNodeId", 0))
            for one in tree
            if not one["ignored"]
        ]

    def reads(self, words: str) -> bool:
        """Whether a text with these words comes to be told."""
        return comes(lambda: any(words in name for _, name, _ in self.nodes()), 0.05)

    def find(self, role: str, name: str) -> int:
        """The node of this role whose name begins so; it may have to come first. There is one."""
        found: list[int] = []

        def there() -> bool:
            found[:] = [node for is_, called, node in self.nodes() if is_ == role and called.startswith(name)]
            return bool(found)

        assert comes(there, 0.05)
        assert len(found) == 1, (role, name)
        return found[0]

    def press(self, role: str, name: str) -> None:
        """Go there and press Enter. A page that draws itself again in between is asked once more."""
        from selenium.common.exceptions import WebDriverException

        def pressed() -> bool:
            try:
                self._chromium.command("DOM.focus", backendNodeId=self.find(role, name))
            except WebDriverException:  # the node is gone
                return False
            self.key("Enter", "\r")
            return True

        self._chromium.command("DOM.enable")
        assert comes(pressed, 0.05)

    def write(self, name: str, text: str) -> None:
        """Go to a field, type, and press Enter."""
        self._chromium.command("DOM.enable")
        self._chromium.command("DOM.focus", backendNodeId=self.find("textbox", name))
        self._chromium.command("Input.insertText", text=text)
        self.key("Enter", "\r")

    def key(self, key: str, text: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self._chromium.command(
                "Input.dispatchKeyEvent", type=kind, key=key, text=text, windowsVirtualKeyCode=13
            )


class Group:
    """Players by chance; what the one at seat 0 would do is left to a phone."""

    def __init__(self) -> None:
        self._dealer = Dealer(random.Random(3), named=True)
        self.due: Answer | None = None

    def answer(self, match: Match) -> Answer:
        """Raises `LookupError` where it is the turn of the phone; `due` is what it does."""
        answer = self._dealer.answer(match)
        claims = answer.ask.kind.gives is Gives.PLAYER and answer.text == "0"
        if claims or (answer.seat == Seat(0) and answer.ask.kind.gives in (Gives.CARD, Gives.STACK)):
            self.due = answer
            raise LookupError
        return answer


def test_a_whole_match_is_played_with_what_a_screen_reader_tells(at: Served, chromium: Browser) -> None:
    """On one page, from taking a seat to the winner: cards, a refused one, one taken back, rows."""
    base, cookie, group = f"http://127.0.0.1:{at.port}", at.pair(), Group()
    at.press(Key.ROW_1)  # the others begin 6 nimmt! at the box
    chromium.open(f"{base}/join?language=en", PHONE, cookie)
    reader = ScreenReader(chromium)
    assert reader.reads("Take a seat")
    reader.write("Your name", "Sara")
    assert comes(lambda: at.table.front.joined == (1,))
    at.do(Scanned(badge_code(2)))
    at.press(*(KEYS[word] for word in UNTIL_10_KEYS.split()))
    players, done = SimulatedGroup("six", 2, random.Random(3), group), {"card": 0, "row": 0}
    while not at.match.position.over:
        try:
            assert at.next(players)
        except LookupError:
            assert group.due is not None
            play(group.due, at, reader, done)
            group.due = None
    assert done["card"] >= 10
    assert done["row"] > 0
    assert reader.reads("The match is over.")
    assert reader.reads("win")
    reader.press("link", "Table")
    assert reader.reads("Standings")
    assert reader.reads(str(at.match.totals[0]))


def play(answer: Answer, at: Served, reader: ScreenReader, done: dict[str, int]) -> None:
    """Do on the page what was chosen, and hear that it is done."""
    steps = at.match.steps
    if answer.ask.kind.gives is Gives.CARD:
        if done["card"] == 1:
            lies = at.match.board.stacks[0].cards[-1]
            reader.write("Your card", lies)
            assert reader.reads(f"Card {lies} is already in row 1.")
        reader.write("Your card", answer.text)
        assert comes(lambda: at.session.match is not None and at.match.steps > steps)
        done["card"] += 1
        if done["card"] == 2:
            reader.press("button", "Undo")
            assert reader.reads("Taken back")
            reader.write("Your card", answer.text)
            assert comes(lambda: at.match.steps > steps)
        return
    takes = answer.ask.kind.gives is Gives.STACK
    assert reader.reads("Which row")
    reader.press("button", f"Row {int(answer.text) + 1}" if takes else "I played")
    assert comes(lambda: at.match.steps > steps)
    assert reader.reads("is taken")
    done["row"] += 1

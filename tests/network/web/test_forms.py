"""The forms of a paired phone in a real browser: a click there is what a key would be at the box."""

from typing import Any

import pytest

from companion.core.codes import badge_code, card_code
from hardware.ports import Key, KeyPressed, Press, Scanned
from tests.network.web.browser import PHONE, Browser, needed
from tests.network.web.served import QUICK, Served
from tests.network.web.test_hosting import PERSIAN
from tests.patience import comes

pytestmark = [needed, pytest.mark.slow]


def paired(at: Served, chromium: Browser, path: str) -> None:
    """Open a page as a paired phone."""
    chromium.open(f"http://127.0.0.1:{at.port}{path}", PHONE, at.pair())
    assert chromium.is_true("document.body.dataset.state === 'live'")


def submit(chromium: Browser, form: str, **fields: Any) -> None:
    """Fill in a form and send it."""
    chromium.run(f"document.getElementById({form!r}).open = true")
    for name, value in fields.items():
        chromium.fill(f"#{form} [name='{name}']", str(value))
    chromium.click(f"#{form} form button")


def test_a_host_types_the_code_and_somebody_at_the_box_allows_it(at: Served, chromium: Browser) -> None:
    at.box.settings.write_text("")
    at.pair("before")
    paired(at, chromium, "/host")
    assert chromium.run("document.getElementById('phones') === null")
    chromium.driver.get(f"http://127.0.0.1:{at.port}/settings?language=en")
    chromium.find("[name='code']").send_keys(at.code())
    chromium.click("#pair button")
    assert chromium.is_true("document.getElementById('answer').textContent.includes('Press OK there')")
    assert chromium.run("document.getElementById('settings') === null")
    at.press(Key.OK)
    assert chromium.is_true("document.getElementById('settings') !== null")
    chromium.driver.get(f"http://127.0.0.1:{at.port}/host?language=en")
    assert chromium.is_true("document.querySelectorAll('#phones .entry').length === 2")
    assert chromium.run("document.getElementById('phones').textContent.includes('(host, this phone)')")


CHANGES = "[...document.querySelectorAll('#changes li')].map((one) => one.textContent)"


def test_corrections_are_filled_in_and_say_what_they_change(at: Served, chromium: Browser) -> None:
    players = at.begin("six", 4)
    while at.session.match is None or at.match.position.deal < 2:
        at.next(players)
    while not (len(at.match.board.newest) == 4 and any(line.taker for line in at.match.board.newest)):
        at.next(players)  # until somebody has taken a row in a turn of the second deal
    paired(at, chromium, "/host")
    badge = [at.session.badge(seat) for seat in at.match.players]
    old = at.match.position.score_sheet.deals[0]
    submit(chromium, "edit", **{str(badge[1]): str(old[1] + 5).translate(PERSIAN)})
    name = QUICK.names[badge[1] - 1]
    assert comes(lambda: chromium.run(CHANGES) == [f"{name} {old[1]} → {old[1] + 5}"])
    assert at.match.position.score_sheet.deals[0] == old
    at.read()
    chromium.click("#changes [data-key='ok']")
    assert comes(lambda: at.match.position.score_sheet.deals[0][1] == old[1] + 5)
    assert chromium.is_true("document.getElementById('changes').hidden")
    chromium.click(".keys [data-key='undo']")
    assert comes(lambda: at.match.position.score_sheet.deals[0] == old)
    steps = at.match.steps
    taker = next(line.taker for line in at.match.board.newest if line.taker)
    submit(chromium, "swap", one=badge[taker], other=badge[0])
    assert comes(lambda: len(chromium.run(CHANGES)) == 2)
    chromium.click("#changes [data-key='undo']")
    assert chromium.is_true("document.getElementById('changes').hidden")
    assert at.match.steps == steps
    wrong = at.match.board.newest[-1].card
    seen = {card for stack in at.match.board.stacks for card in stack.cards}
    right = next(str(number) for number in range(104, 0, -1) if str(number) not in seen)
    submit(chromium, "wrong", wrong=wrong, right=right)
    assert comes(lambda: at.match.steps > steps or bool(at.table.front.refusal))
    assert comes(lambda: bool(chromium.run("document.getElementById('answer').textContent")))


def test_a_player_takes_a_seat_chooses_a_row_and_claims_a_card(at: Served, chromium: Browser) -> None:
    table, session = at.table, at.session
    chromium.open(
        f"http://127.0.0.1:{at.port}/join?code={at.code()}", PHONE
    )  # as the code on the display says
    assert chromium.is_true("document.getElementById('sit') !== null")
    at.press(Key.ROW_1)
    chromium.driver.get(f"http://127.0.0.1:{at.port}/join?language=en")
    assert chromium.is_true("!document.getElementById('sit').hidden")
    chromium.fill("[name='badge']", "2")
    chromium.click("#sit button")
    assert comes(lambda: table.front.joined == (2,))
    for badge in (1, 3):
        at.do(Scanned(badge_code(badge)))
    at.press(Key.OK, Key.ROW_1, Key.ROW_1)
    for card in (20, 30, 40, 50, 1, 60):
        at.do(Scanned(card_code("6N", card)))
    me = "document.getElementById('turn').textContent"
    assert chromium.is_true(f"{me}.includes('2 of 3')")
    assert "Waiting" not in chromium.run(me)  # nobody knows whose cards these are
    chromium.run("buzzes = [], navigator.vibrate = (pattern) => buzzes.push(pattern)")
    at.do(Scanned(card_code("6N", 70)))
    assert chromium.is_true("document.querySelectorAll('#choices .stack').length === 4")
    assert chromium.run("buzzes.length") == 1
    assert chromium.run(me).startswith("Did you play 1?Then choose the row.")
    heights = "[...document.querySelectorAll('#choices .stack')].map((one) => one.offsetHeight)"
    assert len(set(chromium.run(heights))) == 1
    at.do(KeyPressed(Key.OK, Press.LONG))
    assert chromium.is_true(f"{me}.includes('The box is waiting for something else: MENU')")
    assert chromium.run("document.querySelectorAll('#choices button').length") == 0
    at.press(Key.UNDO)
    steps = at.match.steps
    chromium.click("#choices .stack", 2)
    seat = session.seat(2)
    assert seat is not None
    assert comes(lambda: at.match.points[seat] == 3)
    assert at.match.board.stacks[2].cards == ("1",)
    assert at.match.steps == steps + 1  # who played it, and which row: one answer
    assert chromium.is_true(f"!{me}.includes('It is your turn')")
    for badge, card, seen in (
        (1, 72, f"{me}.includes('Your card is missing')"),
        (3, 73, "buzzes.length > 2"),  # now it is the last one
        (2, 71, "true"),
        (2, 74, f"{me}.includes('Waiting for Sara')"),
    ):
        at.do(Scanned(badge_code(badge)))
        at.do(Scanned(card_code("6N", card)))
        assert chromium.is_true(seen)

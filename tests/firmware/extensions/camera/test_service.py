"""What the camera does at a table besides scanning: it asks, compares the rows, teaches decks."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from companion.core import games
from companion.core.codes import card_code
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.camera import LessonMoved
from firmware.extensions.camera.cards_in_play import codes, own_code
from firmware.extensions.camera.faces import SHOWINGS, TaughtDeck
from firmware.extensions.camera.pages import TableChecked, Teaching, WhichCard
from firmware.extensions.camera.seen import CardsLie, Seen
from firmware.extensions.camera.service import QUIET_S
from firmware.extensions.camera.table import SeeCard
from firmware.extensions.camera.table_check import Misplaced
from firmware.loop.react import handle_message
from hardware.ports import ExtensionMessage, Scanned
from tests.firmware.evening import FOUR, PLACED, ROWS
from tests.firmware.extensions.camera.evening_by_camera import Evening
from tests.firmware.extensions.camera.tables import Place, before, deck, in_row
from tests.patience import comes

TURN = {
    **{in_row(0, place): card for place, card in enumerate((12, 14, 15))},
    in_row(1, 0): 37,
    **{in_row(2, place): card for place, card in enumerate((43, 44))},
    **{in_row(3, place): card for place, card in enumerate((58, 61))},
}
WRONG = {place: card for place, card in TURN.items() if card != 44} | {in_row(1, 1): 44}
HANDS = "R1 b1 b2 OK R1 #4 7 12 104 1 2 3 4 5 6 8 20 21 22 23 24 25 26 27 28 29 40 50 60 70"


@cache
def taught() -> TaughtDeck:
    return deck((12, 37, 43, 58, 14, 44, 61, 15))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with closing(Evening(tmp_path, taught())) as made:
        yield made


def six(*numbers: int) -> tuple[str, ...]:
    return tuple(card_code("6N", number) for number in numbers)


def told(evening: Evening, message: ExtensionMessage) -> None:
    """The camera has seen this."""
    handle_message(evening.table, message, evening.table.now_s)
    evening.press("+0")


def labels(evening: Evening) -> list[str]:
    return list(getattr(evening.table.front, "cards", ()))


@pytest.mark.parametrize("key", ["OK", "UNDO"])
def test_a_card_can_be_shown_again_instead(evening: Evening, key: str) -> None:
    evening.press(FOUR + ROWS)
    told(evening, CardsLie((), unsure=(six(35, 25),)))
    evening.press("+2 " + key)
    assert evening.have()
    told(evening, CardsLie((), six(25)))
    assert evening.have(25)


def test_the_card_that_is_shown_again_answers_the_question(evening: Evening) -> None:
    evening.press(FOUR + ROWS)
    told(evening, CardsLie((), unsure=(six(35, 25),)))
    told(evening, CardsLie((), six(35)))
    assert evening.have(35)
    assert not isinstance(evening.table.front, WhichCard)


def test_what_cannot_come_is_not_asked_about(evening: Evening) -> None:
    evening.press(FOUR + ROWS + "35")
    told(evening, CardsLie((), unsure=(six(35, 25, 12),)))
    assert labels(evening) == ["25"]
    evening.press("+2 UNDO")
    told(evening, CardsLie((), unsure=(six(35, 12),)))
    assert evening.have(35)
    assert not isinstance(evening.table.front, WhichCard)


def test_a_card_in_no_known_hand_is_asked_about(evening: Evening) -> None:
    evening.press(HANDS)
    told(evening, CardsLie((), six(99, 104)))
    page = evening.table.front
    assert isinstance(page, WhichCard)
    assert page.doubtful
    assert page.cards == ("99",)
    assert [posted.text for posted in evening.posted if isinstance(posted, Scanned)] == [*six(104)]


def test_a_card_that_a_phone_has_seen_is_one_of_the_camera(evening: Evening) -> None:
    evening.press(HANDS)
    for code in (*six(99), "6NC-OKB", "nothing"):
        told(evening, SeeCard(kind="act", code=code))
        assert not evening.have(99)
    page = next(opened.page for opened in evening.table.pages.opened if isinstance(opened.page, WhichCard))
    assert (page.cards, page.doubtful) == (("99",), True)
    told(evening, SeeCard(kind="act", code=six(104)[0]))
    assert evening.have(104)


def test_cards_that_lay_there_are_taken_for_the_first_rows_only(evening: Evening) -> None:
    evening.press(FOUR)
    told(evening, CardsLie((), six(12, 37, 43), first=True))
    assert evening.have()
    told(evening, CardsLie((), six(12, 37, 43, 58), first=True))
    told(evening, CardsLie((), six(90), first=True))
    assert evening.runtime.session.playing.board.stacks[3].cards == ("58",)
    assert evening.have()


def test_a_wrong_card_is_corrected_by_showing_both(evening: Evening) -> None:
    evening.press(PLACED)
    told(evening, CardsLie((), six(61)))  # somebody has moved it in its row
    evening.press(":6NC-WRONGE")
    told(evening, CardsLie((), six(61)))
    told(evening, CardsLie((), six(62)))
    evening.press("OK")
    assert evening.runtime.session.playing.board.stacks[3].cards == ("58", "62")


def test_a_question_that_another_card_has_closed_comes_back_for_a_row_key(evening: Evening) -> None:
    evening.press(FOUR + ROWS)
    told(evening, CardsLie((), unsure=(six(35, 25),)))
    told(evening, CardsLie((), six(90)))
    assert evening.have(90)
    assert labels(evening) == ["35", "25"]
    evening.press("R2")
    assert evening.have(90, 25)
    assert not isinstance(evening.table.front, WhichCard)


def test_two_copies_that_look_alike_are_two_cards(tmp_path: Path) -> None:
    with closing(Evening(tmp_path, None)) as evening:
        evening.press("R3 b1 b2 b3 OK OK R1 R1")
        names = [name for name in games.module("ciao").DECK if name.startswith("gR#")]
        code = codes("ciao")[names[0]]
        told(evening, CardsLie((), (code, code)))
        scanned = [posted.text for posted in evening.posted if isinstance(posted, Scanned)]
        assert scanned == [own_code("ciao", name) for name in names[:2]]


@pytest.mark.slow
def test_one_press_compares_the_rows_with_the_referee(evening: Evening) -> None:
    evening.press(PLACED)
    evening.move(TURN)
    scanned = evening.count(Scanned)
    evening.press(":6NC-AUDITE")
    evening.until(lambda: isinstance(evening.table.front, TableChecked))
    assert evening.table.front.wrong == ()  # type: ignore[attr-defined]
    evening.press("OK")
    evening.move(WRONG)
    evening.press("menu:CHECK_THE_TABLE")
    evening.until(lambda: isinstance(evening.table.front, TableChecked))
    assert evening.table.front.wrong == (Misplaced("44", 2, 1),)  # type: ignore[attr-defined]
    evening.lay(TURN)
    evening.press("R1")
    evening.until(lambda: isinstance(evening.table.front, TableChecked))
    assert evening.count(Scanned) == scanned


def lies(rows: Mapping[Place, int]) -> CardsLie:
    return CardsLie(tuple(Seen(place.corners, card_code("6N", card)) for place, card in rows.items()))


def test_a_row_that_does_not_agree_for_a_while_is_told_once(evening: Evening) -> None:
    evening.press(PLACED)
    told(evening, lies(TURN))
    evening.press(f"+{round(QUIET_S) + 1}")
    assert evening.table.notice == ""
    told(evening, lies(WRONG))
    evening.press(f"+{round(QUIET_S) - 2}")
    assert evening.table.notice == ""
    evening.press("+3")
    assert "44" in evening.table.notice
    evening.press("+30 +30")
    assert evening.table.notice == ""


@pytest.mark.slow
def test_while_the_camera_is_away_the_check_asks_for_scans_and_what_was_laid_meanwhile_is_read(
    evening: Evening,
) -> None:
    first = {in_row(row, 0): card for row, card in enumerate((12, 37, 43, 58))}
    evening.press(FOUR)
    evening.move({})
    evening.move(first)
    assert evening.runtime.session.playing.board.stacks[3].cards == ("58",)
    evening.move({**first, before(0): 14})
    evening.camera.unplug()
    evening.until(lambda: "camera" in evening.runtime.session.faults)
    evening.press("+9 :6NC-AUDITE")
    assert evening.page == "audit"
    evening.press("UNDO")
    evening.lay({**first, before(0): 14, before(1): 44})
    evening.camera.plug()
    evening.until(lambda: evening.have(14, 44))
    assert evening.runtime.session.faults == {}
    evening.lay({**first, before(0): 14, before(1): 44}, light=0.03)
    evening.until(lambda: "camera" in evening.runtime.session.faults)


def teaching(evening: Evening) -> Teaching:
    page = evening.table.front
    assert isinstance(page, Teaching)
    return page


def shown(evening: Evening, cards: Mapping[Place, int]) -> None:
    """Lay cards, and wait until the lesson has seen them."""
    evening.lay(cards)
    before = evening.count(LessonMoved)
    evening.until(lambda: evening.count(LessonMoved) > before)


def grid(numbers: range, showing: int) -> dict[Place, int]:
    return {
        Place(170 + 300 * (at % 4) + 20 * showing, 160 + 300 * (at // 4), 4.0 * (showing - 1)): number
        for at, number in enumerate(numbers)
    }


@pytest.mark.slow
def test_a_deck_is_taught_at_the_display_without_a_key(tmp_path: Path) -> None:
    with closing(Evening(tmp_path, None)) as evening:
        evening.press("menu:CAMERA R1 R1")
        evening.until(lambda: teaching(evening).progress.showings > 0)
        evening.lay(grid(range(1, 6), 0))
        evening.until(lambda: teaching(evening).progress.found == 5)
        for showing in range(SHOWINGS):
            shown(evening, {})
            shown(evening, grid(range(1, 13), showing))
        assert teaching(evening).progress.taught == 12
        evening.press("UNDO")
        assert evening.page == "start"
        (saved,) = deck_files.headers(tmp_path / "decks")
        assert (saved.name, len(saved.cards)) == (games.module("six").TITLE, 12)
        # What is left is asked for another time.
        evening.press("menu:CAMERA R1 R1")
        evening.until(lambda: teaching(evening).progress.lay == six(*range(13, 25)))


def test_decks_are_chosen_corrected_and_removed(evening: Evening, tmp_path: Path) -> None:
    deck_files.save(tmp_path / "decks", deck((1, 2, 3), "other"))
    evening.press("menu:CAMERA R2 R1 R1")  # "other", which comes first: correct a card
    evening.press("UNDO UNDO")
    session = evening.runtime.session
    assert evening.service.decks.in_use("six", session) == "other"
    evening.press("menu:CAMERA R2 R2 R1")
    assert evening.service.decks.in_use("six", session) == "ours"
    evening.press("menu:CAMERA R2 R1 R4 OK")
    assert [header.name for header in deck_files.headers(tmp_path / "decks")] == ["ours"]


def test_what_a_deck_lacks_is_told_when_the_match_begins_and_where_it_is_chosen(
    evening: Evening, tmp_path: Path
) -> None:
    evening.press("R1 b1 b2 b3 b4 OK R1 R1")
    assert evening.table.notice.startswith("96 ")
    evening.press("+30 12 37 43 58")
    assert evening.table.notice == ""
    deck_files.save(tmp_path / "decks", deck((1, 2, 3), "other"))
    evening.press("+0")  # "other" comes first
    assert evening.table.notice.startswith("101 ")
    evening.press("+30 menu:CAMERA R3 R2 R1")
    assert evening.service.decks.in_use("six", evening.runtime.session) == "ours"
    assert evening.table.notice.startswith("96 ")


@pytest.mark.slow
def test_what_a_phone_teaches_while_people_play_is_used(evening: Evening, tmp_path: Path) -> None:
    evening.press(f"{FOUR} {ROWS}")
    assert comes(lambda: evening.eye._deck is not None)
    changed = deck((12, 37, 43, 58, 14, 44, 61, 15, 99))
    deck_files.save(tmp_path / "decks", changed)
    evening.press("+0")
    assert evening.service.decks.all[0].cards == next(deck_files.headers(tmp_path / "decks")).cards
    assert comes(lambda: evening.eye._deck is not None and evening.eye._deck.codes == changed.codes)

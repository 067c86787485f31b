"""What a page says aloud: what is new at the table, once, in the language of the page."""

from typing import Any

from companion.core.cards import Seat
from companion.match.match import Match, Step, Terms, begin
from companion.protocol.snapshot import public_step, table_snapshot
from firmware.table_socket.messages import PublicPage, PublicPicture, Snapshot
from hardware.ports import Light
from network.web.voice import Utterances

NAMES = ("Sara", "علی")


def snapshot(match: Match | None) -> Snapshot:
    steps: list[Any] = []
    table = None
    if match is not None:
        people = [(seat + 1, name) for seat, name in enumerate(NAMES)]
        table = table_snapshot(match, people, str, 1)
        steps = [public_step(after.newest, after, str) for _, _, after in match.live_steps() if after.newest]
    page = PublicPage("home", False, None, (), "")
    number = 1 if match is None else match.steps + 2
    picture = PublicPicture(1, 1, Light.FULL, b"")
    return Snapshot(number, "en", "latin", "gregorian", table, tuple(steps), page, "", picture, ())


def played(*cards: str) -> Match:
    match = begin(Terms("six", 2, {}, Seat(0)))
    for card in cards:
        after = match.play(card)
        assert isinstance(after, Match)
        match = after
    return match


def test_a_new_step_is_said_once_for_all_languages_and_not_what_was_so_before() -> None:
    utterances, rows = Utterances(), ("12", "37", "43", "58")
    assert utterances.newest(None, "en") == {"number": 0, "text": ""}
    assert utterances.newest(snapshot(played(*rows)), "en") == {"number": 0, "text": ""}
    now = snapshot(played(*rows, "14", "60"))
    said = utterances.newest(now, "en")
    text = "14 goes to row 1: only 12 is lower. 60 goes to row 4: 58 is the closest. Everybody plays a card."
    assert said["text"] == text
    assert utterances.newest(now, "de") == {
        "number": said["number"],
        "text": "14 in Reihe 1: nur die 12 ist niedriger. 60 in Reihe 4: die 58 ist am nächsten. "
        "Alle spielen eine Karte.",
    }
    assert utterances.newest(now, "en") == said


def test_players_are_called_by_name_as_they_stand_on_the_page() -> None:
    utterances, rows = Utterances(), ("12", "37", "43", "58")
    utterances.newest(snapshot(played(*rows)), "fa")
    match = played(*rows)
    step = match.propose(match.game.read(match.asks[0], Seat(1), "3"))
    assert isinstance(step, Step)
    match = match.then(step)
    step = match.propose(match.game.read(match.asks[0], Seat(0), "60"))
    assert isinstance(step, Step)
    assert utterances.newest(snapshot(match.then(step)), "fa")["text"] == "علی کدام ردیف را برمی‌دارد؟"


def test_a_step_that_is_taken_back_is_said() -> None:
    utterances, rows = Utterances(), ("12", "37", "43", "58")
    utterances.newest(snapshot(played(*rows, "14", "60")), "en")
    assert utterances.newest(snapshot(played(*rows)), "en")["text"].startswith("Taken back.")

"""Robots at a real table of 11 nimmt! and Ciao!: whole deals, undo, power cuts, cards scanned wrong."""

from pathlib import Path
from random import Random

import pytest

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.core.codes import CardCode, card_code
from companion.match.dealer import Dealer
from companion.match.match import Match
from firmware.extensions.robots.seats import in_race, on_turn
from firmware.loop.react import handle_message, tick
from hardware.ports import Scanned
from tests.firmware.evening import Device
from tests.firmware.extensions.robots.robot_table import SIT_DOWN, switched_on, with_robots
from tests.firmware.telling import told

ELEVEN = SIT_DOWN["eleven"]
ROBOT = Seat(1)
_GOES_ON = ("robot_moved", "given_card", "robot_gives", "taken", "deal_end")


class InTurn:
    """People at such a table, who hold real cards and do for the robot what the display says."""

    def __init__(self, folder: Path, game: str, seed: int) -> None:
        self.folder, self.game = folder, game
        self.players = Dealer(Random(seed))
        self.at = switched_on(folder)
        self.at.people(SIT_DOWN[game])
        self.moves: list[str] = []
        self.kinds: set[AskKind] = set()

    @property
    def match(self) -> Match:
        return self.at.match

    def cut(self) -> None:
        """The power fails, and comes back."""
        self.at.runtime.close()
        self.at = switched_on(self.folder)

    def go_on(self) -> None:
        """Do the next thing: with keys what the display asks for, with cards what players decide."""
        at, match = self.at, self.match
        if at.page in _GOES_ON or not match.asks:
            if at.page == "robot_moved":
                self.moves.append(" ".join(told(at)))
            at.people("OK")
            return
        self.kinds.add(match.asks[0].kind)
        session = at.runtime.session
        if on_turn(at.match) is not None:
            at.people("+3" if not match.lines else "OK")
            return
        if match.asks[0].kind is AskKind.RACE:
            at.people("OK")  # nobody can
            return
        answer = self.players.answer(match)
        if answer.ask.kind is AskKind.HOLD:
            assert "KEEP CARDS HIDDEN" in " ".join(told(at))
            at.do(lambda table: table.act(CardCode(session.code, answer.text)))
            assert at.page != "refusal", told(at)
        else:
            assert at.propose(match.game.read(answer.ask, answer.seat, answer.text))
        at.runtime.app.picture()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", ["eleven", "ciao"])
def test_a_deal_with_a_robot_is_played_to_its_end(tmp_path: Path, game: str, seed: int) -> None:
    table = InTurn(tmp_path, game, seed)
    assert table.match.terms.robots == ("", "normal", "")
    for _ in range(2000):
        if not table.match.asks:
            break
        table.go_on()
    assert table.match.winners
    assert len(table.moves) > 3
    assert all("ROBOT PLAYS" in move for move in table.moves)
    table.at.runtime.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["eleven", "ciao"])
def test_a_power_cut_after_every_act_changes_nothing(tmp_path: Path, game: str) -> None:
    table = InTurn(tmp_path, game, 5)
    for _ in range(70):
        table.go_on()
        position, page = table.match.position, table.at.page
        table.cut()
        assert table.match.position == position
        if page == "robot_moved":
            assert table.at.page == page  # people still have to make this move for the robot
    assert table.moves
    table.at.runtime.close()


def until(table: InTurn, page: str) -> None:
    for _ in range(300):
        if table.at.page == page:
            return
        table.go_on()
    raise AssertionError(table.at.page)


@pytest.mark.parametrize("game", ["eleven", "ciao"])
def test_a_move_that_was_undone_waits_for_ok_and_is_the_same_again(tmp_path: Path, game: str) -> None:
    table = InTurn(tmp_path, game, 4)
    until(table, "robot_moved")
    table.at.people("+1")
    said = told(table.at)
    before = table.match.before
    assert before is not None
    table.at.people("UNDO +30")
    assert table.at.page == "robot_thinks"
    assert table.match.position.table == before.position.table
    table.at.people("OK")
    assert told(table.at) == said
    table.at.runtime.close()


def test_the_card_of_the_robot_may_be_scanned_as_it_is_laid(tmp_path: Path) -> None:
    with with_robots(tmp_path, ELEVEN) as at:
        at.people("3 14 25 36 47 58 69 80 91 100 50 52 +1")
        assert at.page == "robot_moved"
        assert "58" in told(at)
        at.people("58")
        assert "ROBOT'S CARD" in at.table.notice
        assert at.page == "on_turn"
        at.people("60 +1")
        assert at.match.asks[0].seats == (0,)


def test_a_card_that_was_scanned_as_the_robots_is_told_and_its_hand_forgotten(tmp_path: Path) -> None:
    with with_robots(tmp_path, ELEVEN) as at:
        at.people("3 14 25 36 47 58 69 80 80 91 100 50 58")
        assert at.page == "card_of_robot"
        at.people("R4")
        assert at.match.board.stacks[0].cards == ("50", "58")
        assert at.page == "on_turn"  # people lay its cards for it


def test_where_the_card_of_a_robot_is_not_in_its_pile_people_lay_its_cards(tmp_path: Path) -> None:
    with with_robots(tmp_path, "R1 b1 R3 R3 b4 OK R3 R1") as at:
        at.people("7 10 10 13 20 25 30 35 40 45 50 12 37 43 58 OK")
        at.people("R4")
        assert at.match.asks[0].have == ()
        assert "ROBOT" not in " ".join(told(at))
        lying = {12, 37, 43, 58}
        cards = [card for card in range(60, 105) if card not in lying]
        at.people("13 59 60 +9")
        for turn in range(9):
            at.people(" ".join(map(str, cards[3 * turn + 1 : 3 * turn + 4])) + " +9")
            while at.match.asks[0].kind in (AskKind.CLAIM, AskKind.CHOOSE):
                at.people("b1 +9")


@pytest.mark.slow
def test_in_a_race_a_robot_plays_only_when_nobody_else_can(tmp_path: Path) -> None:
    raced = 0
    for seed in range(12):
        table = InTurn(tmp_path / str(seed), "ciao", seed)
        for _ in range(400):
            if not table.match.asks:
                break
            if table.match.asks[0].kind is AskKind.RACE and ROBOT in table.match.asks[0].seats:
                table.at.people("+30")  # it waits
                assert table.match.asks[0].kind is AskKind.RACE
                able = in_race(table.match)
                table.at.people("OK")
                raced += bool(able) and table.at.page == "robot_moved"
            else:
                table.go_on()
        table.at.runtime.close()
        if raced:
            return
    raise AssertionError("no robot has answered a challenge")


def scan(at: Device, code: str) -> None:
    """Let the scanner read a real code, long after the one before."""
    table = at.table
    tick(table, table.now_s + 30)
    handle_message(table, Scanned(code, table.now_s), table.now_s)
    at.runtime.app.picture()


def code_of(at: Device, card: str) -> str:
    game, table = at.match.game, at.match.position.table
    found = (number for number in range(1, 120) if game.card(table, str(number)).split("=")[0] == card)
    return card_code("CI", next(found))


def test_the_code_of_a_ciao_card_that_is_laid_for_the_robot_is_taken_as_its_card(tmp_path: Path) -> None:
    table = InTurn(tmp_path, "ciao", 1)
    at, played = table.at, ""
    while not played:
        table.go_on()
        until(table, "robot_moved")
        played = str(getattr(table.match.newest and table.match.newest.command, "card", None) or "")
    scan(at, code_of(at, played))
    assert "ROBOT'S CARD" in at.table.notice
    assert at.page not in ("robot_moved", "refusal")
    at.runtime.close()


def test_a_card_of_another_game_is_not_the_one_that_the_robot_lays(tmp_path: Path) -> None:
    with with_robots(tmp_path, ELEVEN) as at:
        at.people("3 14 25 36 47 58 69 80 91 100 50 52 +1")
        assert at.page == "robot_moved"
        scan(at, card_code("6N", 58))
        assert at.table.notice == "CARD OF ANOTHER GAME"

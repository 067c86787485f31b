"""The widest facts on every page: ten players, names of eight letters, high rows, long rulings and faults."""

import importlib
import pkgutil
import random
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from msgspec.structs import replace

from companion.core import games
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.match.match import Terms
from companion.text.sentence import literal, say
from firmware import extensions, screens
from firmware.display.glyphs import NARROW as NARROW_FONT
from firmware.display.layout import paginate
from firmware.display.plan import NORMAL
from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots
from firmware.kiosk.kiosk import install
from firmware.loop.react import handle_message
from firmware.loop.runtime import Runtime
from firmware.screens.before.start import Beginner, PlayersPage
from firmware.screens.count import CardCount
from firmware.screens.parts.base import Page
from firmware.screens.result.results import EditDeal, MatchResult
from firmware.screens.turn.corrections import PickPlayers, SwapPreview
from firmware.screens.turn.refusal import BAND_PX, RefusalPage
from firmware.session.matches import FinishedMatch
from hardware.ports import DeviceFault
from tests.companion import random_match
from tests.gallery import scripts
from tests.gallery.pictures import KIOSK_SCREENS, SCREENS
from tests.gallery.script import perform
from tests.gallery.scripts import PIN
from tests.whole.careful import CarefulCanvas
from tests.whole.wide_table import NAMES, configured, wide_table

every_game = pytest.mark.parametrize("game", games.GAMES)

NARROW: Final = {
    "ChoosePlayerPage",
    "DealEnd",
    "Home",
    "MatchEnd",
    "PlayersAndRobots",
    "Standings",
    "Sums",
    "Tie",
}
"""Where two names share a line or a name stands beside something wide: eight letters may be shortened."""
FURTHER: Final = (
    SCREENS["erase"] + " b3",
    SCREENS["match-end"] + "R2 R4 R1",
    "menu:PHONES OK",
    "menu:PHONES R2",
)
"""Ways to pages that a gallery without names cannot show."""
LONG_MATCH: Final = {"end": {"target": 99_999, "when": "passed"}}


class Eye:
    """Looks at every page that comes to the front, and keeps what is wrong with it."""

    def __init__(self) -> None:
        self.faults: dict[str, str] = {}
        self.shortened: set[tuple[str, str]] = set()
        self.seen: set[str] = set()

    def look(self, runtime: Runtime, after: str = "") -> None:
        canvas, page = CarefulCanvas(), runtime.app.table.front
        name = type(page).__name__
        self.seen.add(name)
        try:
            page.draw(canvas, runtime.session)
        except ValueError as too_wide:
            canvas.faults.append(f"cannot be drawn: {too_wide}")
        self.faults |= {f"{name}: {fault}": after for fault in canvas.faults}
        self.shortened |= {(name, text) for text in canvas.shortened}


def walk(eye: Eye, runtime: Runtime, script: str, known: set[str] | None = None) -> None:
    """Look after every word, but not where another script has led before."""
    known = set() if known is None else known
    words = script.split()
    for count in range(len(words) + 1):
        if count:
            perform(words[count - 1], runtime.app.table)
        if (way := " ".join(words[:count])) not in known:
            known.add(way)
            eye.look(runtime, way)


def longest(scripts: Iterable[str]) -> list[str]:
    """The scripts that no other one begins with: on the way to the end of those all others are passed."""
    whole = sorted(" ".join(script.split()) + " " for script in scripts)
    return [one for one, other in pairwise([*whole, ""]) if not other.startswith(one)]


@cache
def walked(*, kiosk: bool = False) -> Eye:
    """What is seen on the way to every screen: by players with names of eight letters, or at a `kiosk`."""
    eye, known, config = Eye(), set[str](), configured(() if kiosk else NAMES)
    config = replace(config, kiosk=replace(config.kiosk, pin=PIN if kiosk else ""))
    for script in longest(KIOSK_SCREENS.values() if kiosk else (*SCREENS.values(), *FURTHER)):
        with TemporaryDirectory() as folder, closing(Runtime(config, Path(folder) / "journal")) as runtime:
            if kiosk:
                runtime.app.table.extension(RobotsTable).thinkers = Robots()
                install(runtime, rng=random.Random(6))
            walk(eye, runtime, script, known)
    return eye


KINDS = {"Page", "PilesPage", "ListPage", "LargeList", "LanguageList", "Message", "_Ceremony", "_CardsOfTurn"}
"""What pages are made of: no page themselves."""


def pages() -> set[str]:
    """The name of every class of the program that is a page."""
    modules = [
        importlib.import_module(one.name)
        for package in (screens, extensions)
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    return {
        name
        for module in modules
        for name, one in vars(module).items()
        if isinstance(one, type)
        and one.__module__ == module.__name__
        and isinstance(getattr(one, "NAME", None), str)
    } - KINDS


def test_every_page_is_reached_on_the_way_to_some_screen() -> None:
    seen = walked().seen | walked(kiosk=True).seen
    elsewhere = {"DeviceAway", "SwitchOff"}  # a device opens the one; the other needs a machine of ours
    # They need robots at the table.
    elsewhere |= {"RobotCards", "RobotRow", "RobotMoved", "RobotGives", "GivenCard"}
    elsewhere |= {"RaceWithRobots", "NoHardRobot"}  # the last one where numpy is missing
    elsewhere |= {"PlayersPage"}  # where robots can join, `PlayersAndRobots` takes its place
    elsewhere |= {"DecisionPage", "Thinking"}  # a deal with robots, which is not walked
    elsewhere |= {"Certificate"}  # it needs an encrypted page: `test_encrypted` draws it in every language
    elsewhere |= {"Update"}  # it needs a drive with an update: every stage is drawn in test_update_page
    # They need a camera: `test_every_language` draws them in every language.
    elsewhere |= {"WhichCard", "Teaching", "LookingAtTable", "TableChecked"}
    # They need the seats of a hub: `test_every_language` draws them in every language.
    elsewhere |= {"ConfirmResult", "BadgeRegistered", "Registration", "SeatedHere", "WrongHand"}
    assert pages() - seen == elsewhere


def test_on_the_way_to_every_screen_nothing_is_cut_and_nothing_covers_anything() -> None:
    assert walked().faults | walked(kiosk=True).faults == {}


def test_names_of_eight_letters_are_whole_wherever_a_table_of_four_looks() -> None:
    assert {page for page, _ in walked().shortened} <= NARROW


# --- extremes that chance hardly meets


def test_ten_who_share_a_win_are_all_named(tmp_path: Path) -> None:
    eye = Eye()
    with wide_table(tmp_path, "six", deals=[(166,) * 10], options={"end": {"deals": 1}}) as runtime:
        walk(eye, runtime, "OK R1 OK OK")
        assert runtime.app.table.front.NAME == "match_end"
        assert len(runtime.session.playing.winners or ()) == 10
        shapes = CarefulCanvas()
        runtime.app.table.front.draw(shapes, runtime.session)
    assert eye.faults == {}
    assert {f"badge-{badge}" for badge in range(1, 11)} <= set(shapes.icons)


@pytest.mark.parametrize(("language", "size"), [("en", "large"), ("de", "large"), ("fa", "large")])
@pytest.mark.parametrize("names", [NAMES, scripts.NAMES])
def test_lists_of_all_players_have_no_line_over_another_in_large_letters(
    tmp_path: Path, names: tuple[str, ...], language: str, size: str
) -> None:
    config = configured(names)
    config = replace(config, screen=replace(config.screen, language=language, size=size))
    eye = Eye()

    def look(game: str, *pages: Page, deals: Sequence[tuple[int, ...]] = ()) -> None:
        (folder := tmp_path / game).mkdir()
        with wide_table(folder, game, deals=deals, config=config) as runtime:
            if deals:
                perform("OK", runtime.app.table)  # goes on with the match
            for page in pages:
                runtime.app.table.open(page)
                eye.look(runtime)

    ten, seven = tuple(range(1, 11)), tuple(range(1, 8))
    pick = PickPlayers(say("X"), lambda _badges, _at: None, 2, (1,), cursor=1)
    result = MatchResult(FinishedMatch(1, "6 nimmt!", "21:00", tuple((rank, 999, (rank,)) for rank in ten)))
    look(
        "score",
        PlayersPage("score", ten),
        EditDeal(1, (-999,) * 10, Seat(0)),
        pick,
        result,
        deals=[(9,) * 10],
    )
    look("eleven", Beginner(Terms("eleven", 7, {}, badges=seven), cursor=1), CardCount())
    assert eye.faults == {}
    assert eye.seen == {"EditDeal", "PickPlayers", "PlayersPage", "MatchResult", "Beginner", "CardCount"}


@pytest.mark.parametrize("low", [0, -999])
@pytest.mark.parametrize("players", range(2, 11))
def test_standings_and_the_end_are_whole_for_any_number_of_players_with_large_totals(
    tmp_path: Path, players: int, low: int
) -> None:
    points = tuple(999 - seat if seat % 2 else low for seat in range(players))
    eye = Eye()
    with wide_table(tmp_path, "six", seats=players, deals=[points], options={"end": {"deals": 2}}) as runtime:
        walk(eye, runtime, "OK LEFT")
        assert runtime.app.table.front.NAME == "standings"
    last = tmp_path / "last"
    last.mkdir()
    with wide_table(
        last, "six", seats=players, deals=[points, points], options={"end": {"deals": 2}}
    ) as runtime:
        walk(eye, runtime, "R1 OK OK R2")
    assert eye.faults == {}


def test_rows_that_all_end_high_are_explained_to_ten_players(tmp_path: Path) -> None:
    eye = Eye()
    cards = "100 99 98 97 96 95 94 93 92 91"
    with wide_table(tmp_path, "six", deals=[(104,) * 10] * 2, options=LONG_MATCH) as runtime:
        walk(eye, runtime, f"OK OK 101 102 103 104 RIGHT OK {cards} R1 b1 b10")
        assert runtime.session.playing.points[0] > 0
        assert runtime.session.playing.points[9] > 0
        walk(eye, runtime, "OK WHY" + " OK" * 10)
        assert runtime.app.table.front.NAME == "ruling"
        walk(eye, runtime, "OK OK OK")
        walk(eye, runtime, ":6NC-SWAPV b1 b10 OK :6NC-AUDITE 101 102 103 104 OK :6NC-NEXTK OK OK")
    assert eye.faults == {}
    assert {"ChooseStack", "ChoosePlayerPage", "WhoTakes", "Ruling", "Why", "Rows", "AuditPage"} <= eye.seen


def test_a_swap_of_a_hundred_points_and_more_is_shown_whole(tmp_path: Path) -> None:
    eye = Eye()
    with wide_table(tmp_path, "six", deals=[(104,) * 10], options=LONG_MATCH) as runtime:
        for points in ((171, 0), (-171, 171), (999, -999)):
            runtime.app.table.open(SwapPreview(None, (Seat(0), Seat(2)), (points[0], 0, points[1])))
            eye.look(runtime)
    assert eye.faults == {}


# --- what the referee says


def refusals(game: str) -> list[Refused]:
    """What a game refuses, with every kind of reason that chance finds."""
    found: dict[str, Refused] = {}
    for seed in range(6):
        rng = random.Random(seed)
        match = random_match.agreed(game, rng)
        for _ in range(60):
            if not match.asks:
                break
            for command in [*random_match.unasked(match, rng), random_match.wild(match, rng)]:
                ruling = match.propose(command)
                if isinstance(ruling, Refused):
                    found[ruling.rule.key + ruling.fault.template + ruling.fix.template] = ruling
            match = match.then(random_match.legal(match, rng))
    return list(found.values())


@every_game
def test_no_ruling_is_too_long_for_the_display(tmp_path: Path, game: str) -> None:
    rulings = refusals(game)
    assert len(rulings) > 5
    with wide_table(tmp_path, game) as runtime:
        for ruling in rulings:
            refused = RefusalPage(ruling.fault, ruling.fix, ruling.rule.title)
            with suppress(IndexError):  # chance also names players who are not there
                assert NARROW_FONT.width_px(refused.brief(runtime.session)) <= BAND_PX
            fault, fix = str(ruling.fault), str(ruling.fix)
            shown: list[str] = []
            for part, lines in enumerate(paginate(NORMAL, fault, fix)):
                canvas = CarefulCanvas()
                page = RefusalPage(literal(fault), literal(fix), literal(ruling.rule.short), part=part)
                page.draw(canvas, runtime.session)
                assert canvas.faults == []
                shown += lines
            assert "".join(shown).replace(" ", "") == f"{fault}{fix}".upper().replace(" ", "")


def test_a_long_ruling_is_turned_over_with_ok_and_suspended_with_undo(tmp_path: Path) -> None:
    with wide_table(tmp_path, "six") as runtime:
        table = runtime.app.table
        before = runtime.app.picture().tobytes()
        long = RefusalPage(literal("a fault " * 12), literal("a way out " * 14))
        seen = set()
        table.open(long)
        while table.front.NAME == "refusal":
            seen.add(runtime.app.picture().tobytes())
            perform("OK", table)
        assert len(seen) == 3
        assert runtime.app.picture().tobytes() == before
        table.open(long)
        perform("UNDO", table)
        assert runtime.app.picture().tobytes() == before
        assert runtime.session.playing.steps == 0


def test_a_fault_with_a_long_advice_is_told_to_its_end(tmp_path: Path) -> None:
    fault = "no answer at 0x3C on I2C bus 1, but something answers at 0x3D"
    check = (
        "check the wires 3V3, GND, SDA and SCL; list the devices with i2cdetect -y 1; set address = 0x3D "
        "in [display]"
    )
    eye = Eye()
    with wide_table(tmp_path, "six") as runtime:
        handle_message(runtime.app.table, DeviceFault("display", fault, check), runtime.app.table.now_s)
        eye.look(runtime)
        perform("OK", runtime.app.table)
        eye.look(runtime)
        assert runtime.app.table.front.NAME == "device_away"
        perform("OK", runtime.app.table)
        assert runtime.app.table.front.NAME != "device_away"
    assert eye.faults == {}

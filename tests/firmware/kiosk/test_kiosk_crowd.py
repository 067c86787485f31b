"""Many strangers: one who knows only what the display says, one who hits keys, and a week of both."""

import gc
import re
import threading
from pathlib import Path
from random import Random
from typing import Final

import pytest

from companion.core import games
from companion.match.lesson import lesson_of
from firmware.config.sections import ScreenOptions
from firmware.display.plan import Size
from firmware.loop.react import handle_message
from firmware.screens.before.lesson import taught
from firmware.text.translation import LANGUAGES, Translator
from hardware.ports import OWN_KEYS, Key, KeyPressed, KeyReleased, Message, Press, Scanned
from tests.firmware.display.read_canvas import KEYS, ReadCanvas
from tests.firmware.kiosk.kiosk_box import KioskBox, kiosk_box

DAY: Final = "2026-02-21"
LOOK_S: Final = 2.5
"""A stranger reads a page in so many seconds."""
OURS: Final = frozenset({
    "attract", "scene", "card_shown", "visitor_language", "visitor_menu", "which_game", "how_many",
    "still_there", "lesson", "lesson_wrong", "lesson_right", "lesson_end",
    "hand", "placement", "which_row", "decision", "thinking", "pass_on", "sentence", "leave_deal",
    "deal_result", "after_deal",
})  # fmt: skip
"""All that strangers may ever see."""


CODES: Final = (
    "55", "104", "0", "6N055Y", "6NC-OKB", "6NC-MENUM", "6NC-LANGJ", "6NC-P03Z", "6NC-SWAPV", "6NC-ERASEZ",
    "1N031X", "CI060", "4007396032", "x" * 300, "-5", "6NC-GAME6", "6NC-UNDOL", "6NC-AUDITE",
)  # fmt: skip


class Stranger:
    """Presses only keys that the display shows, and tries them one after the other where it is asked.

    What people know of a language is what `t` says in it.
    """

    def __init__(self, at: KioskBox, t: Translator) -> None:
        self.at = at
        self.t = t
        self.rng = Random(7)

    def read(self) -> ReadCanvas:
        canvas = ReadCanvas()
        self.at.runtime.app.picture(canvas)
        return canvas

    def press(self, label: str) -> None:
        self.at.wait(LOOK_S, step_s=0.5)
        handle_message(self.at.table, KeyPressed(KEYS[label]), self.at.table.now_s)
        self.at.wait(0.1)

    def find(self, *wanted: str) -> str | None:
        """The key beside one of these words."""
        labels = self.read().labels
        return next((key for word in wanted for key, label in labels.items() if word == label), None)

    def row_by_the_rule(self) -> str:
        """The key of the row that the page tells to choose, if it tells its rule."""
        canvas = self.read()
        words = " ".join(canvas.words)
        assert all(word in words for word in self.t("CLOSEST LOWER CARD").split()), words
        asked = (re.fullmatch(r"\W*(\d+)\W*", word) for word in canvas.words if set(word) & set("?؟"))
        card = next(int(found[1]) for found in asked if found)
        lower = {int(end): key for key, end in canvas.rows.items() if int(end) < card}
        return lower[max(lower)]

    def choose(self, *wanted: str) -> None:
        key = self.find(*wanted)
        assert key is not None, (wanted, self.read().labels)
        self.press(key)

    def go_on(self) -> None:
        """Press OK where it is shown, else one of the keys that are; wait where there is none."""
        canvas = self.read()
        labels = canvas.labels
        if "OK" in labels or self.t("PRESS ANY KEY") in canvas.words:
            self.press("OK")
        elif keys := [key for key in labels if key.isdigit()]:
            self.press(self.rng.choice(keys))
        else:
            self.at.wait(1)


def begin(at: KioskBox, wish: str, game: str, language: str = "en") -> Stranger:
    """A stranger who has come, and has chosen a language, what to do, and a game."""
    t = Translator(language)
    stranger = Stranger(at, t)
    stranger.choose(LANGUAGES[language].title, LANGUAGES[language].title.upper())
    stranger.choose(t(wish))
    stranger.choose(t.title(games.module(game).TITLE).upper())
    return stranger


@pytest.mark.parametrize("size", list(Size))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stranger_who_reads_only_the_display_answers_the_first_question_right_in_15_s(
    language: str, size: Size, tmp_path: Path
) -> None:
    for came_s in (0.0, 7.0, 14.0, 21.5, 28.0, 33.0):
        with kiosk_box(tmp_path / f"{came_s}", screen=ScreenOptions(size=size.value)) as at:
            at.wait(came_s, step_s=0.5)
            began_s = at.table.now_s
            stranger = begin(at, "LEARN IT", "six", language)
            stranger.press(stranger.row_by_the_rule())
            assert at.page == "lesson_right"
            assert at.table.now_s - began_s <= 15


WHO: Final = list(zip(taught(), LANGUAGES, strict=True))
"""Each game in another language: every page of every game is looked at in all of them elsewhere."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "language"), WHO)
def test_a_stranger_who_reads_only_the_display_learns_the_game(
    game: str, language: str, tmp_path: Path
) -> None:
    with kiosk_box(tmp_path) as at:
        stranger = begin(at, "LEARN IT", game, language)
        for _ in range(60):
            if stranger.find(stranger.t("WATCH")):
                break
            stranger.go_on()
        assert at.page == "lesson_end"
        assert at.kiosk.counts.of(DAY)["lessons_finished"] == 1


@pytest.mark.parametrize(("game", "most_s"), [("six", 30), ("eleven", 45), ("ciao", 45)])
def test_who_answers_right_has_learned_it_in_half_a_minute(game: str, most_s: int, tmp_path: Path) -> None:
    with kiosk_box(tmp_path) as at:
        stranger = begin(at, "LEARN IT", game)
        began_s = at.table.now_s
        for _ in lesson_of(game):
            right = [verdict.right for verdict in at.table.front.known.verdicts]  # type: ignore[attr-defined]
            stranger.press(str(right.index(True) + 1))
            stranger.press("OK")
        assert at.page == "lesson_end"
        assert at.table.now_s - began_s <= most_s


@pytest.mark.slow
@pytest.mark.parametrize(("game", "language"), WHO)
def test_a_stranger_who_reads_only_the_display_plays_a_deal_and_leaves(
    game: str, language: str, tmp_path: Path
) -> None:
    with kiosk_box(tmp_path) as at:
        stranger = begin(at, "PLAY", game, language)
        t = stranger.t
        stranger.choose(t("ONE PLAYER"))
        for _ in range(1500):
            canvas = stranger.read()
            if stranger.find(t("AGAIN")):
                break
            if t("DOES NOT FIT") in canvas.words and "4" in canvas.labels and stranger.rng.random() < 0.9:
                stranger.press("4")
            else:
                stranger.go_on()
        assert at.page == "after_deal"
        stranger.choose(t("BACK"))
        assert at.page == "visitor_menu"
        at.wait(31)
        assert at.page == "attract"
        counts = at.kiosk.counts.of(DAY)
        assert (counts["deals_begun"], counts["deals_finished"]) == (1, 1)


def message(rng: Random) -> Message:
    """What somebody does who hits keys and holds anything to the scanner."""
    kind = rng.random()
    if kind < 0.75:
        press = rng.choices((Press.SHORT, Press.LONG, Press.DOUBLE), (8, 1, 1))[0]
        return KeyPressed(rng.choice([key for key in Key if key not in OWN_KEYS]), press)
    if kind < 0.8:
        return KeyPressed(rng.choice(OWN_KEYS))
    if kind < 0.85:
        return KeyReleased(rng.choice(list(Key)))
    return Scanned(rng.choice(CODES), typed=rng.random() < 0.5)


def hit_keys(at: KioskBox, rng: Random, seconds: int, draw_every: int) -> set[str]:
    """Twenty inputs a second; gives the pages that were seen."""
    pages = set()
    for number in range(seconds * 20):
        at.wait(0.05)
        at.give(message(rng))
        pages.add(at.page)
        if number % draw_every == 0:
            at.runtime.app.picture()
    return pages


def things() -> tuple[int, int, int]:
    """Objects, open files and threads of this process."""
    gc.collect()
    return len(gc.get_objects()), len([*Path("/proc/self/fd").iterdir()]), threading.active_count()


def leave(at: KioskBox, seconds: int) -> None:
    """Nobody touches it any more. A deal that is watched is played to its end; then the loop begins again."""
    at.wait(seconds, step_s=7)
    for _ in range(60):
        if at.page in {"attract", "scene"}:
            return
        at.wait(20, step_s=7)
    raise AssertionError(at.page)


@pytest.mark.slow
def test_random_keys_and_scans_never_leave_what_is_for_visitors(tmp_path: Path) -> None:
    with kiosk_box(tmp_path) as at:
        rng = Random(1)
        pages = hit_keys(at, rng, 120, draw_every=10)  # by then every module that visitors need is imported
        leave(at, 80)
        objects, files, threads = things()
        pages |= hit_keys(at, rng, 60, draw_every=10)
        leave(at, 80)
        assert pages <= OURS
        assert {"visitor_menu", "lesson", "hand", "placement"} <= pages
        assert at.runtime.session.match is None
        more, files_now, threads_now = things()
        assert (files_now, threads_now) == (files, threads)
        assert more - objects < 2000

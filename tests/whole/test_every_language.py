"""Every page in every language, with long names: nothing is cut, its main thing is read across the table.

The keys that are told are those that work. Each page is compared with its picture in tests/pictures/sheets.
To make them again, after a look at what changed:
python -m pytest tests/whole/test_every_language.py --rewrite-pictures
"""

import re
from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from PIL import Image

from companion.core.codes import BADGES
from firmware.config.configuration import load
from firmware.display.canvas import Canvas
from firmware.display.glyphs import ELLIPSIS, RIGHT_TO_LEFT
from firmware.display.layout import Layout
from firmware.loop.runtime import Runtime
from firmware.play.table import Table
from firmware.screens.menu import Help, called, usual_keys
from firmware.screens.parts.base import Held
from firmware.screens.parts.kinds import ListPage
from hardware.ports import Key
from tests.firmware.evening import trial
from tests.gallery.pictures import performed
from tests.whole import golden
from tests.whole.careful import CarefulCanvas
from tests.whole.retelling import OWN_WORDS, SIZES_OF, tell
from tests.whole.wide_table import NAMES

AT_THE_TABLE = {
    "home", "collecting", "ruling", "taken", "choose_stack", "choose_player", "standings", "deal_end",
    "match_end", "race", "on_turn", "winner", "awards", "deal", "dealt_hand", "match_result", "robot_cards",
    "robot_row", "robot_moved", "robot_thinks", "tie", "share",
}  # fmt: skip
"""Pages that all around a table read."""
LEAST_PX = 14
WIDEST = "names-whose-pile"
"""Here a name of fifteen letters is the main thing."""
HINT = re.compile(r"(OK|UNDO|WHY|UP|DOWN|LEFT|RIGHT|R?[1-4])=.*")
TOLD = re.compile(r"\bOK\b|UNDO(?==|$)|^(?:UP|DOWN|LEFT|RIGHT)(?==|$)|\bR[1-4]\b")
"""Keys in a text that is drawn: beside what they do, or alone in a box."""
UGLY = {
    "nothing before a colon": r"^[\s:،,;]|[(«\"][)»\"]",
    "a number beside a number": r"[0-9۰-۹] [0-9۰-۹].*\w{2}(?<!\d)|\w{2}(?<!\d).*[0-9۰-۹] [0-9۰-۹]",
    "a count in Latin digits": (
        "(?:ردیف|نوبت|دور|نفر|بازیکن|ربات|امتیاز|جمع|ستون|شناسه‌ی|مرحله‌ی|میز|جای) [0-9]"
        "|[0-9] (?:کارت|امتیاز|بازیکن|نفر|دور|نوبت|گام|مانده)"
    ),
}
"""What no text of a page looks like."""
LISTS = {"ruling", "standings"}
"""Pages that fill the display in large letters: only there a notice hides a player, in the last line."""
ROWS = {"1": Key.ROW_1, "2": Key.ROW_2, "3": Key.ROW_3, "4": Key.ROW_4}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A screen as it is drawn: its page, the height of its main thing, and what is wrong with it.

    `keys` are those whose use is told, `dropped` the titles, asides and hints that had no room, and `said`
    how many the page has.
    """

    page: str
    main_px: int
    faults: list[str]
    picture: Image.Image
    keys: set[str]
    dropped: list[str]
    said: int


def screens(*, retold: bool) -> dict[tuple[str, str], dict[str, Drawn]]:
    """Each screen of the gallery, in each language and size.

    `retold`: each is played up to once, but for those with words of their own; else each time.
    """
    found: dict[tuple[str, str], dict[str, Drawn]] = {way: {} for way in SIZES_OF}
    for name, runtime in performed(names=NAMES):
        for way in SIZES_OF if retold and name not in OWN_WORDS else SIZES_OF[:1]:
            tell(runtime, *way)
            found[way][name] = drawn(runtime)
    for language, size in SIZES_OF[1:]:
        screen = replace(load(None).screen, language=language, size=size)
        for name, runtime in performed(screen, OWN_WORDS if retold else (), NAMES):
            found[language, size][name] = drawn(runtime)
    return found


def drawn(runtime: Runtime) -> Drawn:
    """The page in front of a device."""
    canvas, page = CarefulCanvas(), runtime.app.table.front
    try:
        page.draw(canvas, runtime.session)
    except ValueError as too_wide:
        canvas.faults.append(str(too_wide))
    largest_px = max(canvas.letters_px, default=0)
    main_px = min(canvas.main_px or largest_px, largest_px)
    return Drawn(
        page.NAME,
        main_px,
        [
            *canvas.faults,
            *wrong_keys(runtime, canvas.texts),
            *untold_ok(runtime, canvas.texts),
            *canvas.under(Layout(canvas, runtime.session.plan).notice_area(), players=page.NAME in LISTS),
            *ugly(canvas.texts, {runtime.session.names.of(badge) for badge in BADGES}),
        ],
        canvas.image(),
        {key for text in canvas.texts for key in TOLD.findall(text)},
        dropped(canvas),
        len(canvas.said),
    )


def ugly(texts: list[str], names: set[str]) -> list[str]:
    """What is wrong with texts that are drawn: see `UGLY`; and words that end in …, but for `names`."""
    plain = [re.sub("[\u200f\u2066-\u2069]", "", text) for text in texts]
    found = [f"{what}: {text!r}" for text in plain for what, looks in UGLY.items() if re.search(looks, text)]
    cut = {word for text in plain for word in re.findall(rf"[^\s/+,،:]+(?={ELLIPSIS})", text)}
    return found + [
        f"{word} is cut" for word in sorted(cut) if not any(name.startswith(word) for name in names)
    ]


def dropped(canvas: CarefulCanvas) -> list[str]:
    """What a page gave to the layout and what is not on the display; a row key is told by its number."""
    drawn_texts = [text.removeprefix(RIGHT_TO_LEFT) for text in canvas.texts]

    def on_display(says: str) -> bool:
        key, _, word = says.partition("=")
        return any(says in text for text in drawn_texts) or (key in drawn_texts and word in drawn_texts)

    return [says for says in canvas.said if not (on_display(says) or re.match("[1-4]=", says))]


def _kept(table: Table) -> object:
    return table.session.state, table.state.setup, table.state.seen


def untold_ok(runtime: Runtime, texts: list[str]) -> list[str]:
    """Whether OK does something and the picture does not say so: with a hint, a key, or a cursor.

    What only brings a cursor is no act. Where letters are large, a page may leave out that OK closes it, or
    shows its next part. A kiosk says that any key will do.
    """
    table = runtime.app.table
    page, opened, before = table.front, table.pages.opened, _kept(table)
    use = page.keys(runtime.session).get(Key.OK) or usual_keys(table).get(Key.OK)
    told = any(re.search(r"\bOK\b", text) for text in texts)
    if use is None or told or runtime.config.kiosk.on or getattr(page, "cursor", None) is not None:
        return []
    with trial(table):
        use.do(table)
        front, still = table.front, table.pages.opened
        if isinstance(page, ListPage):
            shown = replace(front, cursor=None) if isinstance(front, ListPage) else front
            if shown == page or page.choices(runtime.session).cursor is not None:
                return []
        turned = isinstance(front, type(page)) and len(still) == len(opened)
        closed = still == opened[:-1] or turned
        same = _kept(table) == before and not table.queue
        if same and (still == opened or (closed and "large" in runtime.session.plan.name)):
            return []
    return ["OK acts, and nothing on the page says so"]


def wrong_keys(runtime: Runtime, texts: list[str]) -> list[str]:
    """Keys of the page in front that are told and do nothing, or that work and are not told."""
    page, session = runtime.app.table.front, runtime.session
    usual = usual_keys(runtime.app.table)
    others = [session.translate(one) for one in ("ANY KEY", "ANY OTHER KEY")]
    hints = [match[1] for text in texts if (match := HINT.fullmatch(text))]
    shown = {ROWS[name[-1]] if name[-1] in ROWS else Key[name] for name in hints}
    keys = page.keys(session)
    wrong = [f"{key} is told on the page and does nothing" for key in shown - keys.keys()]
    pages = Help(page, usual).pages(session)
    text = " ".join(" ".join(lines) for lines in pages)
    for key, use in {**usual, **keys}.items():
        says = session.translate.say(use.hint).partition("=")[2] or session.translate.say(use.help)
        names = [called(one, session) for one in ((key, key.key) if isinstance(key, Held) else (key,))]
        named = any(name.upper() in text for name in names) and says.split()[0].upper() in text
        if not says or not (named or any(f"{other}: {says}".upper() in text for other in others)):
            wrong.append(f"{key} works and is not told")
    for part in {0, len(pages) - 1}:  # those between have the same title and the same keys
        Help(page, usual, part=part).draw(Canvas(), session)  # strict: nothing is cut
    return wrong


@pytest.mark.long
def test_no_text_of_a_page_is_cut_its_keys_work_and_it_is_as_in_its_picture(
    request: pytest.FixtureRequest,
) -> None:
    assert Canvas.strict
    rewriting = request.config.getoption("--rewrite-pictures")
    faults: dict[tuple[str, str], list[str]] = {}
    low: dict[tuple[str, str], int] = {}
    differing: list[str] = []
    every = screens(retold=not rewriting)
    for (language, size), shown in every.items():
        sheet, found = f"{language}-{size}", {name: one.picture for name, one in shown.items()}
        faults |= {(sheet, name): one.faults for name, one in shown.items() if one.faults}
        low |= {
            (sheet, name): one.main_px
            for name, one in shown.items()
            if one.page in AT_THE_TABLE and one.main_px < LEAST_PX and name != WIDEST
        }
        if rewriting:
            golden.rewrite_sheet(sheet, found)
        differing += [f"{sheet}: {told}" for told in golden.sheet_differences(sheet, found)]
    assert faults == {}
    assert low == {}
    assert unequal(every) == {}
    assert differing == []


def unequal(every: dict[tuple[str, str], dict[str, Drawn]]) -> dict[str, object]:
    """Screens that tell of other keys than the English one of the same size, or have other lines.

    In letters of the usual size nothing is left out, in large ones at most the aside of a long title; where
    they leave room for one hint more than the English ones, it is there.
    """
    found: dict[str, object] = {}
    for (language, size), shown in every.items():
        sheet = f"{language}-{size}"
        for name, one in shown.items():
            english = every["en", size][name]
            if (one.keys if size == "normal" else one.keys & english.keys) != english.keys:
                found[f"{sheet}: {name}"] = one.keys ^ english.keys
            if size == "normal" and one.said != english.said:
                found[f"{sheet}: {name} has {one.said} lines"] = english.said
        lost = {name: one.dropped for name, one in shown.items() if one.dropped}
        if size == "normal" and lost:
            found[sheet] = lost
        if hints := [text for texts in lost.values() for text in texts if HINT.fullmatch(text)]:
            found[f"{sheet}: hints"] = hints
    return found


WRONG = ": بعدی ۶ کارت می‌کشد|جمع نفر ۲ ۱ شد|TOTAL OF P2 1 NOW|\u2068ردیف\u2069 1|6 کارت|3 PLAYE…|NAME «»"


@pytest.mark.parametrize("text", WRONG.split("|"))
def test_what_is_wrong_with_a_text_is_found(text: str) -> None:
    assert ugly([text], set()) != []
    assert ugly(["12 14 15", "SARA, MOHAM…", "«۶۶ یا بیشتر»: بازی"], {"MOHAMMAD"}) == []


def test_letters_that_touch_a_title_bar_are_found() -> None:
    for y_px, found in ((8, 1), (9, 1), (10, 0)):
        canvas = CarefulCanvas()
        canvas.light_key(0, 0, 128, 9)
        canvas.text(4, y_px, "P2")
        assert str(canvas.faults).count("title bar") == found


def test_a_key_is_called_as_on_the_device() -> None:
    for _, runtime in performed(only={"between-turns"}):
        keys = (Key.OK, Key.ROW_3, Key.TURN_LEFT, Held(Key.ROW_1))
        assert [called(key, runtime.session) for key in keys] == ["OK", "R3", "KNOB", "HOLD R1"]

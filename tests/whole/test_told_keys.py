"""Every page of the gallery, in every language and size: the keys that are told are those that work."""

import re
from collections.abc import Iterator

import pytest

from firmware.display.canvas import Canvas
from firmware.play.reaction import Reaction
from firmware.play.runtime import Runtime
from firmware.screens.menu import Help, called, usual_keys
from firmware.screens.parts.base import Held, Page
from firmware.scripted.gallery import performed
from firmware.session.session import Session
from hardware.ports import Key
from tests.firmware.telling import NotingCanvas
from tests.whole.retelling import SIZES_OF, tell

HINT = re.compile(r"(OK|UNDO|WHY|UP|DOWN|LEFT|RIGHT|R?[1-4])=.*")
ROWS = {"1": Key.ROW_1, "2": Key.ROW_2, "3": Key.ROW_3, "4": Key.ROW_4}


def fronts() -> Iterator[tuple[str, Runtime, Page, Session]]:
    """Each screen in each language and size."""
    for name, runtime in performed():
        for language, size in SIZES_OF:
            tell(runtime, language, size)
            yield f"{name} {language} {size}", runtime, runtime.app.controller.front, runtime.session


def keys_on(page: Page, session: Session) -> set[Key]:
    """The keys that the page itself tells of, as they are drawn."""
    canvas = NotingCanvas()
    page.draw(canvas, session)
    found = [match[1] for text in canvas.noted if (match := HINT.fullmatch(text))]
    return {ROWS[name[-1]] if name[-1] in ROWS else Key[name] for name in found}


@pytest.fixture(scope="module")
def told() -> list[str]:
    """What is wrong, page by page."""
    wrong = []
    for name, runtime, page, session in fronts():
        usual = usual_keys(Reaction(runtime.app.controller.table, 0.0))
        others = [session.translate(one) for one in ("ANY KEY", "ANY OTHER KEY")]
        keys, shown = page.keys(session), keys_on(page, session)
        wrong += [f"{name}: {key} is told on the page and does nothing" for key in shown - keys.keys()]
        help_page = Help(page, usual)
        text = " ".join(" ".join(lines) for lines in help_page.pages(session))
        for key, use in {**usual, **keys}.items():
            says = use.hint.partition("=")[2] or session.translate.say(use.help)
            names = [called(one, session) for one in ((key, key.key) if isinstance(key, Held) else (key,))]
            named = any(name.upper() in text for name in names) and says.split()[0].upper() in text
            if not says or not (named or any(f"{other}: {says}".upper() in text for other in others)):
                wrong.append(f"{name}: {key} works and is not told")
        for part in range(len(help_page.pages(session))):
            Help(page, usual, part=part).draw(Canvas(), session)  # strict: nothing is cut
    return wrong


def test_every_key_that_is_told_works_and_every_key_that_works_is_told(told: list[str]) -> None:
    assert told == []


def test_a_key_is_called_as_on_the_device(told: list[str]) -> None:
    for _, runtime in performed(only={"between-turns"}):
        session = runtime.session
        assert [called(key, session) for key in (Key.OK, Key.ROW_3, Key.TURN_LEFT)] == ["OK", "R3", "KNOB"]
        assert called(Held(Key.ROW_1), session) == "HOLD R1"

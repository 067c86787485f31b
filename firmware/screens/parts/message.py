"""Sentences below a title, and what can be done now, in words: opened by the code HELP."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.values import replace
from firmware.display.layout import Layout, paginate
from firmware.screens.parts.base import Controller, Held, Keys, KeyUse, Page, back
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_ROWS: Final = {Key.ROW_1: "R1", Key.ROW_2: "R2", Key.ROW_3: "R3", Key.ROW_4: "R4"}


class Message(Page, kw_only=True):
    """Sentences, on as many pages as they need."""

    part: int = 0
    """Which page is shown, from 0."""
    NUMBERED: ClassVar[bool] = True
    """Whether the title tells which page is shown."""

    def heading(self, session: Session) -> str:
        """The title."""
        raise NotImplementedError

    def sentences(self, session: Session) -> tuple[str, ...]:
        """What it says."""
        raise NotImplementedError

    def aside(self, session: Session) -> str:
        """What stands beside the keys, and is none."""
        return ""

    def keys(self, session: Session) -> Keys:
        """OK turns the page; after the last one it closes."""
        t = session.translate
        if self.part + 1 < len(self.pages(session)):
            return {Key.OK: KeyUse(self._turn, t("OK=MORE"))}
        return {Key.OK: KeyUse(back, t("OK=BACK"))}

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The title, a page of the sentences, and the keys."""
        layout, pages = Layout(canvas, session.plan), self.pages(session)
        part = f"{self.part + 1}/{len(pages)}" if self.NUMBERED and len(pages) > 1 else ""
        layout.title(self.heading(session), session.translate.digits(part))
        layout.hints(*self.hints(session), self.aside(session))
        layout.lines(pages[self.part])

    def pages(self, session: Session) -> list[list[str]]:
        """The lines of all pages."""
        return paginate(session.plan, *filter(None, self.sentences(session)))

    def _turn(self, controller: Controller) -> None:
        controller.show(replace(self, part=self.part + 1))


class Help(Message):
    """The open question, how it is answered, and what each key does on `page`, which it is opened on."""

    NAME: ClassVar[str] = "help"
    page: Page

    def heading(self, session: Session) -> str:
        """The title."""
        return session.translate("WHAT NOW?")

    def sentences(self, session: Session) -> tuple[str, ...]:
        """The question, and a sentence for each thing that keys do."""
        t, match = session.translate, session.match
        ask = match.asks[0] if match is not None and match.asks else None
        now = (t.say(ask.says), _how(session, ask)) if ask is not None else ()
        everywhere = t("HOLD OK: MENU. UNDO: TAKE BACK. LEFT: STANDINGS. RIGHT: ALL CARDS. WHY: THE REASON.")
        return (*now, *told_keys(self.page, session), everywhere)

    def keys(self, session: Session) -> Keys:
        """OK turns the page, UNDO closes it."""
        return {**super().keys(session), Key.UNDO: KeyUse(back, session.translate("UNDO=BACK"))}


def told_keys(page: Page, session: Session) -> tuple[str, ...]:
    """What the keys of a page do, a sentence for each thing, such as `OK: NEXT`, in the words of its hint."""
    t = session.translate
    told: dict[str, list[str]] = {}
    for key, use in page.keys(session).items():
        says = use.hint.partition("=")[2] or t.say(use.help)
        name = called(key, session)
        if name not in told.setdefault(says, []):
            told[says].append(name)
    return tuple(f"{', '.join(names)}: {says}" for says, names in told.items())


def called(key: Key | Held, session: Session) -> str:
    """What a key is called, such as R1."""
    t = session.translate
    if isinstance(key, Held):
        return t("HOLD {key}", key=called(key.key, session))
    if key in (Key.TURN_LEFT, Key.TURN_RIGHT):
        return t("KNOB")
    return _ROWS.get(key, key.name)


def _how(session: Session, ask: Ask) -> str:
    """How a question is answered."""
    t = session.translate
    if ask.kind is AskKind.PLAY and ask.wait is Wait.ALL:
        return t("SCAN THE CARD OF EACH PLAYER, IN ANY ORDER. WITHOUT A SCANNER: A ROW KEY SETS A CARD.")
    match ask.kind.gives:
        case Gives.CARD:
            return t("SCAN THE CARD. WITHOUT A SCANNER, THE KEYS SET IT.")
        case Gives.PLAYER:
            return t("SCAN THE BADGE OF THE PLAYER, OR PRESS THE KEY BESIDE THE NAME.")
        case Gives.STACK | Gives.WORD:
            return t("PRESS THE KEY WITH THE NUMBER OF YOUR CHOICE.")

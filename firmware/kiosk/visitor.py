"""What a passer-by meets at a kiosk: attract loop, first touch, menu, and the question who is there."""

from functools import lru_cache, partial
from typing import Final

from companion.core import games
from companion.core.board import Board
from companion.core.codes import CardCode
from companion.match.lesson import lesson_of, played_scene, scene_of
from companion.text.sentence import BULL, Text, literal, say
from companion.values import replace
from firmware.display.canvas import CARD_HEIGHT_PX, CARD_WIDTH_PX, Canvas
from firmware.display.glyphs import LARGE, MEDIUM, NARROW
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS, NORMAL, Plan, large_plan, with_small_titles, without_title
from firmware.play.table import Table
from firmware.screens.before.lesson import Wish, choose_game, show_card
from firmware.screens.before.start import LanguageList
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.kinds import ChoiceList, LargeList, ListPage
from firmware.screens.turn.table import CardsOfGame
from firmware.session.session import Session
from firmware.text.translation import LANGUAGES, translator
from hardware.ports import Key, Signal

SCENE_PICTURE: Final = 2
"""The place of the played scene in the attract loop, from 0."""

PICTURES: Final = 6
"""In the attract loop, the scene included."""

_KEYS_PX: Final = 9
"""Height of the strip with the languages and their keys."""

_PICTURE_PX: Final = 25
"""Height of what stands above the words."""

_DEAREST: Final = "55"


class Attract(Page):
    """One of the pictures that a passer-by can read from two metres, and the key of each language."""

    picture: int = 0
    open_cards: bool = False
    """Whether the cards of a turn lie open, in the picture where they are turned up at once."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        game = games.first()
        _draw_languages(layout, Area(0, 64 - _KEYS_PX, 128, _KEYS_PX), whole=True)
        words = Area(0, _PICTURE_PX, 128, 63 - _PICTURE_PX - _KEYS_PX)
        if self.picture == 0:
            layout.main(Area(0, 0, 128, 24), t.title(games.module(game).TITLE).upper())
            layout.words(Area(0, 31, 128, 18), t("FEWEST BULLHEADS WIN"), MAIN_WORDS)
        elif self.picture == 1:
            _draw_hands(canvas, game, open_cards=self.open_cards)
            layout.words(words, t("ALL PLAY A CARD AT ONCE"), MAIN_WORDS)
        elif self.picture == 3:  # noqa: PLR2004 - the fourth picture
            _draw_sixth(canvas)
            layout.words(words, t("THE SIXTH CARD TAKES THE ROW"), MAIN_WORDS)
        elif self.picture == 4:  # noqa: PLR2004 - the fifth picture
            heads = CardsOfGame(game, t).worth(_DEAREST)
            canvas.text_centre(64, 0, f"{_DEAREST} = {t.number(heads)}{BULL}", LARGE)
            layout.words(words, t("BULLHEADS COST: TAKE NONE!"), MAIN_WORDS)
        else:
            free = Area(0, 0, 128, 64 - _KEYS_PX - 1)
            layout.words(free, t("PRESS A KEY OR SHOW A CARD, AND PLAY!"), MAIN_WORDS)


def _draw_languages(layout: Layout, area: Area, *, whole: bool) -> None:
    """Each language beside the key that chooses it, in its own letters; its first two, if not `whole`.

    They stand at the same places while the language of the words above changes.
    """
    strip, titles = Layout(layout.canvas, NORMAL), [language.title.upper() for language in LANGUAGES.values()]
    shown = [title if whole else title[:2] for title in titles]
    layout.canvas.note(*(f"{place}={title}" for place, title in enumerate(titles, start=1)))
    widths = [NARROW.width_px(f"{place}") + 7 + NARROW.width_px(text) for place, text in enumerate(shown, 1)]
    gap_px = (area.width_px - sum(widths)) / (len(widths) - 1)
    for place, (title, width_px) in enumerate(zip(shown, widths, strict=True)):
        x_px = area.x_px + round(sum(widths[:place]) + gap_px * place)
        strip.hint(Area(x_px, area.y_px, width_px, area.height_px), f"{place + 1}={title}", NARROW)


def _draw_hands(canvas: Canvas, game: str, *, open_cards: bool) -> None:
    """The cards of a turn side by side: all face down, then all open."""
    cards = [line.card for line in _played(game)[1].newest]
    for place, card in enumerate(cards):
        x_px = 64 - 16 * len(cards) + 32 * place
        canvas.frame(x_px + 2, 0, 28, 24)
        if open_cards:
            canvas.text_centre(x_px + 16, 6, card, MEDIUM)
        else:
            canvas.icon(x_px + 9, 5, "bull", large=True)


def _draw_sixth(canvas: Canvas) -> None:
    """Five cards side by side, and the sixth one, which is lit."""
    for place in range(5):
        canvas.frame(4 + 17 * place, 0, 15, 24)
        canvas.icon(8 + 17 * place, 8, "bull")
    canvas.text(96, 0, "6", LARGE)
    canvas.invert(91, 0, 26, 24)


@lru_cache(maxsize=4)
def _played(game: str) -> tuple[Board, Board]:
    scene = scene_of(game)
    assert scene is not None  # noqa: S101 - the page is shown for a game that has one
    return played_scene(game, scene)


SCENE_STEPS: Final = 8
"""For each card of a played scene: it appears, goes to its row in some steps, and lies there."""

_LEAVES_AT: Final = 2
_LIES_AT: Final = 6
_SCENE_CARD_X_PX: Final = 128 - CARD_WIDTH_PX
_SCENE_WORDS_X_PX: Final = 2 * CARD_WIDTH_PX + 4


class ScenePage(Page):
    """A played turn: four rows. One card after the other goes to its row by the first rule of the lesson.

    `step` counts from 0.
    """

    MOVES = True
    game: str
    step: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        cards, (before, after) = CardsOfGame(self.game, t), _played(self.game)
        lines, names = after.newest, [stack.name for stack in before.stacks]
        turn, step = min(divmod(self.step, SCENE_STEPS), (len(lines) - 1, SCENE_STEPS - 1))
        for row, stack in enumerate(before.stacks):
            canvas.card(0, CARD_HEIGHT_PX * row, cards.label(stack.cards[-1]))
        for line in lines[:turn]:
            canvas.card(CARD_WIDTH_PX + 1, CARD_HEIGHT_PX * names.index(line.place), cards.label(line.card))
        y_px, line = CARD_HEIGHT_PX, lines[turn]
        words = Area(_SCENE_WORDS_X_PX, y_px + 1, 128 - _SCENE_WORDS_X_PX, 63 - y_px - _KEYS_PX)
        layout.words(words, t.say(lesson_of(self.game)[0].hint), MAIN_WORDS)
        _draw_languages(layout, Area(words.x_px, 64 - _KEYS_PX, words.width_px, _KEYS_PX), whole=False)
        gone = min(max(step - _LEAVES_AT, 0), _LIES_AT - _LEAVES_AT) / (_LIES_AT - _LEAVES_AT)
        x_px, y_px = _way(gone, CARD_HEIGHT_PX * names.index(line.place))
        canvas.card(x_px, y_px, cards.label(line.card), emphasised=True)


def _way(gone: float, to_y_px: int) -> tuple[int, int]:
    """Where a card is that goes left above the words, then down to its row; `gone` is 0 to 1."""
    across_px = _SCENE_CARD_X_PX - CARD_WIDTH_PX - 1
    way_px = round(gone * (across_px + to_y_px))
    return _SCENE_CARD_X_PX - min(way_px, across_px), max(0, way_px - across_px)


def first_page(game: str = "") -> Page:
    """The first question: the language, where there are several. `game` is that of a card that was shown."""
    return VisitorLanguage(game) if len(LANGUAGES) > 1 else VisitorMenu(game)


class VisitorLanguage(LanguageList):
    """The languages. `over`: it lies on what the visitor does and goes on with."""

    game: str = ""
    over: bool = False

    def plan(self, session: Session) -> Plan:
        return with_small_titles(large_plan(session.plan))

    def heading(self, session: Session) -> str:
        """The word in every language: nobody knows yet which one the visitor reads."""
        return " ".join(translator(language).say(self.TITLE) for language in LANGUAGES)

    def choices(self, session: Session) -> ChoiceList[str]:
        """The languages, none under the cursor."""
        return ListPage.choices(self, session)

    def keys(self, session: Session) -> Keys:
        keep = KeyUse(partial(self.chosen, session.language), help=say("KEEP THE LANGUAGE"))
        return {Key.OK: keep, **self.choices(session).keys(self.chosen, self.moved), Key.UNDO: keep}

    def take_card(self, action: CardCode, table: Table) -> bool:
        return show_card(action, table, lambda game: replace(self, game=game))

    def chosen(self, item: str, table: Table) -> None:
        table.speak(item)
        table.signal(Signal.ACCEPTED)
        if self.over:
            table.close()
        else:
            table.show(VisitorMenu(self.game))


class VisitorMenu(LargeList):
    """Learn, play or watch; or another language, for who pressed the key of this one by chance.

    `game` is that of a card that was shown.
    """

    OK_SELECTS_FIRST = True
    game: str = ""

    def plan(self, session: Session) -> Plan:
        return without_title(super().plan(session))

    def offers(self, session: Session) -> list[tuple[Text, Wish | None]]:
        deals = [(say("PLAY"), Wish.PLAY), (say("WATCH"), Wish.WATCH)] if session.can_deal else []
        others = [language.title for name, language in LANGUAGES.items() if name != session.language]
        items: list[tuple[Text, Wish | None]] = [(say("LEARN IT"), Wish.LEARN), *deals]
        return [*items, (literal(" ".join(others)), None)] if others else items

    def keys(self, session: Session) -> Keys:
        language = VisitorLanguage(self.game)
        undo = KeyUse(lambda at: at.show(language), help=say("LANGUAGE"))
        return {**super().keys(session), **({Key.UNDO: undo} if len(LANGUAGES) > 1 else {})}

    def chosen(self, item: Wish | None, table: Table) -> None:
        if item is None:
            table.show(VisitorLanguage(self.game))
        else:
            choose_game(item, self.game, table)

    def take_card(self, action: CardCode, table: Table) -> bool:
        return show_card(action, table, VisitorMenu)


class StillThere(Page):
    """Nobody has done anything for a while: the seconds until the beginning is shown again."""

    MOVES = True
    left_s: int

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.main(Area(0, 0, 128, 16), t("STILL THERE?"), MAIN_WORDS)
        left = t.number(self.left_s)
        high_px = layout.height_px(left, LARGE)
        layout.main(Area(0, 32 - high_px // 2, 128, high_px), left)
        layout.main(Area(0, 47, 128, 17), t("PRESS ANY KEY"), MAIN_WORDS)

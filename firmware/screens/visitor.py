"""What a passer-by meets at a kiosk: attract loop, first touch, menu, and the question who is there."""

from functools import lru_cache, partial
from typing import Final

from companion.core import games
from companion.core.board import Board
from companion.core.codes import CardCode
from companion.match.lesson import played_scene, scenes_of
from companion.text.sentence import BULL, Text, count, say
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE, TALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS, Plan, large_plan
from firmware.screens.before.lesson import Wish, choose_game, taught_game
from firmware.screens.before.start import LanguageList
from firmware.screens.parts.base import ANY_KEY, Controller, Keys, KeyUse, Page
from firmware.screens.parts.kinds import ChoiceList, LargeList, ListPage
from firmware.screens.turn.table import CardsOfGame
from firmware.session.session import Session
from firmware.text.translation import LANGUAGES
from hardware.ports import Key, Signal

PICTURES: Final = 4
"""In the attract loop."""

_WORDS_PX: Final = 37
"""Two lines in large letters, Persian ones too."""

_DEAREST: Final = "55"
_KEY_PX: Final = 24


class Attract(Page):
    """One of the four pictures that a passer-by can read from two metres."""

    picture: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        game = games.first()
        words = Area(0, 64 - _WORDS_PX, 128, _WORDS_PX)
        if self.picture == 0:
            layout.main(Area(0, 1, 128, 24), t.title(games.module(game).TITLE).upper())
            layout.stack(words, (Big(t("A CARD GAME")), Big(t("FEWEST WINS"))))
        elif self.picture == 1:
            _draw_sixth(canvas)
            layout.stack(words, (Big(t("THE SIXTH CARD")), Big(t("TAKES THE ROW"))))
        elif self.picture == 2:  # noqa: PLR2004 - the third picture
            heads = CardsOfGame(game, t).worth(_DEAREST)
            canvas.text_centre(64, 1, f"{_DEAREST} = {t.number(heads)}{BULL}", LARGE)
            layout.stack(words, (Big(t("BULLHEADS COST")), Big(t("TAKE NONE!"))))
        else:
            layout.stack(
                Area(2, 1, 124, 62), (Big(t("PRESS A KEY")), Big(t("OR SHOW A CARD")), Big(t("AND PLAY!")))
            )
            canvas.frame(0, 0, 128, 64)


def _draw_sixth(canvas: Canvas) -> None:
    """Five cards side by side, and the sixth one, which is lit."""
    for place in range(5):
        canvas.frame(4 + 17 * place, 1, 15, 24)
        canvas.icon(8 + 17 * place, 9, "bull")
    canvas.text(96, 1, "6", LARGE)
    canvas.invert(91, 0, 26, 26)


@lru_cache(maxsize=8)
def _played(game: str, place: int) -> tuple[Board, Board]:
    return played_scene(game, scenes_of(game)[place])


class ScenePage(Page):
    """A part of a played scene: the card in question, then each card of the turn with its row."""

    NAME = "scene"
    game: str
    scene: int
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        scene = scenes_of(self.game)[self.scene]
        cards, lines = CardsOfGame(self.game, t), _played(self.game, self.scene)[1].newest
        if self.part == 0:
            canvas.text_centre(64, 2, f"{cards.label(scene.cards[0])} ?", LARGE)
        else:
            line = lines[self.part - 1]
            label = cards.label(line.card)
            x_px = canvas.text(4, 2, label, LARGE) + 4
            x_px = canvas.text(x_px, 2, "→", LARGE) + 4
            layout.key(Area(x_px, 1, _KEY_PX, 26), line.place, LARGE)
            if line.heads:
                canvas.text_right(111, 7, session.translate.number(line.heads), TALL)
                canvas.icon(113, 7, "bull", large=True)
        area = Area(0, 30, 128, 34)
        layout.words(area, t.say(scene.says[self.part]), MAIN_WORDS)


def parts_of(game: str, scene: int) -> int:
    """How many parts a played scene has."""
    return len(scenes_of(game)[scene].says)


class CardShown(Page):
    """A card was shown to the box: its name and what it costs, large. `greeted`: a language was chosen."""

    game: str
    card: str
    greeted: bool = False

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        cards = CardsOfGame(self.game, t)
        worth = cards.worth(self.card)
        if layout.plan.row_bar:
            layout.hints(*self.hints(session))
        free = layout.free
        if cards.in_heads:
            canvas.text_centre(64, 4, f"{cards.label(self.card)}: {t.number(worth)}{BULL}", LARGE)
            words = t.say(count("{count} HEAD", "{count} HEADS", worth))
        else:
            layout.main(Area(0, 6, 128, 16), cards.named(self.card), MAIN_WORDS)
            words = t.say(count("{count} POINT", "{count} POINTS", worth))
        layout.stack(free.below(30), (Big(words),))

    def keys(self, session: Session) -> Keys:
        on = VisitorMenu(self.game) if self.greeted else first_page(self.game)
        return dict.fromkeys(ANY_KEY, KeyUse(lambda at: at.show(on), say("OK=LEARN AND PLAY")))

    def take_card(self, action: CardCode, controller: Controller) -> bool:
        return _show_card(action, controller, greeted=self.greeted)


def shown_card(action: CardCode, controller: Controller, *, greeted: bool = False) -> CardShown | None:
    """The page for a card that was shown; None for one of no game that is taught here."""
    if (game := taught_game(action.game)) is None:
        return None
    card = CardsOfGame(game, controller.session.translate).card_of(action.card)
    return None if card is None else CardShown(game, card, greeted)


def _show_card(action: CardCode, controller: Controller, *, greeted: bool) -> bool:
    """Show a card in the place of the page in front; False for one of no game that is taught here."""
    shown = shown_card(action, controller, greeted=greeted)
    if shown is not None:
        controller.show(shown)
    return shown is not None


def first_page(game: str = "") -> Page:
    """The first question: the language, where there are several. `game` is that of a card that was shown."""
    return VisitorLanguage(game) if len(LANGUAGES) > 1 else VisitorMenu(game)


class VisitorLanguage(LanguageList):
    """The languages. `over`: it lies on what the visitor does and goes on with."""

    game: str = ""
    over: bool = False

    def plan(self, session: Session) -> Plan:
        return large_plan(session.plan)

    def choices(self, session: Session) -> ChoiceList[str]:
        """The languages, none under the cursor."""
        return ListPage.choices(self, session)

    def keys(self, session: Session) -> Keys:
        keep = KeyUse(partial(self.chosen, session.language), help=say("KEEP THE LANGUAGE"))
        return {Key.OK: keep, **self.choices(session).keys(self.chosen, self.moved), Key.UNDO: keep}

    def chosen(self, item: str, controller: Controller) -> None:
        controller.speak(item)
        controller.signal(Signal.ACCEPTED)
        if self.over:
            controller.close()
        else:
            controller.show(VisitorMenu(self.game))


class VisitorMenu(LargeList):
    """Learn, play or watch. `game` is that of a card that was shown."""

    TITLE = say("WELCOME!")
    OK_TAKES_FIRST = True
    game: str = ""

    def offers(self, session: Session) -> list[tuple[Text, Wish]]:
        deals = [(say("PLAY"), Wish.PLAY), (say("WATCH"), Wish.WATCH)] if session.can_deal else []
        return [(say("LEARN IT"), Wish.LEARN), *deals]

    def keys(self, session: Session) -> Keys:
        language = VisitorLanguage(self.game)
        undo = KeyUse(lambda at: at.show(language), help=say("LANGUAGE"))
        return {**super().keys(session), **({Key.UNDO: undo} if len(LANGUAGES) > 1 else {})}

    def chosen(self, item: Wish, controller: Controller) -> None:
        choose_game(item, self.game, controller)

    def take_card(self, action: CardCode, controller: Controller) -> bool:
        return _show_card(action, controller, greeted=True)


class StillThere(Page):
    """Nobody has done anything for a while: the seconds until the beginning is shown again."""

    left_s: int

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.main(Area(0, 0, 128, 16), t("STILL THERE?"), MAIN_WORDS)
        left = t.number(self.left_s)
        high_px = layout.height_px(left, LARGE)
        layout.main(Area(0, 32 - high_px // 2, 128, high_px), left)
        layout.main(Area(0, 47, 128, 17), t("PRESS ANY KEY"), MAIN_WORDS)

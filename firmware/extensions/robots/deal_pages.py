"""The pages of a visitor's deal: what is asked, each card that is placed and why, and how it ended."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import ClassVar, Final

from companion.core.ask import AskKind
from companion.core.board import PlacedCard, Stack
from companion.core.cards import Seat
from companion.core.codes import CardCode
from companion.core.game import RandomSource
from companion.core.score_sheet import ranked
from companion.match.match import Match
from companion.robots.coach import PlayAdvice
from companion.text.sentence import BULL, Decimals, Text, literal, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE, TALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.extensions.robots.config import RobotOptions
from firmware.extensions.robots.deal import PlayedCard, VisitorChoice, VisitorDeal
from firmware.extensions.robots.thinking import Robots
from firmware.play.effects import VisitorAction
from firmware.play.table import Item, Table
from firmware.screens.parts import base
from firmware.screens.parts.base import Held, Keys, KeyUse, Page
from firmware.screens.parts.kinds import PER_PAGE, LargeList
from firmware.screens.turn.table import (
    CardsOfGame,
    are_rows,
    beside_rows,
    beside_words,
    draw_numbers,
    draw_rows,
    draw_top,
    light_row,
)
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from firmware.text.translation import Translator
from hardware.ports import Key, Signal

_SIDE_PX: Final = 72
_TOP_PX: Final = 46
_BELOW_PX: Final = 28
"""For what stands below a card beside rows."""
_LINE_PX: Final = 18
_FORWARD: Final = (Key.DOWN, Key.RIGHT, Key.TURN_RIGHT, Key.ROW_3, Key.ROW_4)
_BACK: Final = (Key.UP, Key.LEFT, Key.TURN_LEFT, Key.ROW_1, Key.ROW_2)


def question(deal: VisitorDeal, seat: Seat) -> Page:
    options = deal.options(seat)
    if options[0].ask.kind is AskKind.CHOOSE and are_rows(deal.board.stacks):
        return WhichRow(deal, seat)
    if not any(option.is_card for option in options):
        return DecisionPage(deal, seat)
    fitting = (place for place, option in enumerate(options) if deal.fits(option, seat))
    return VisitorHand(deal, seat, next(fitting, 0))


class PassOn(Page):
    """The box goes to the other visitor: nobody sees a hand meanwhile."""

    HAS_TIME = True
    deal: VisitorDeal
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.hints(*self.hints(session))
        layout.stack(layout.free, (t("PASS THE BOX TO"), Big(name_of(self.deal, self.seat, t))))

    def keys(self, session: Session) -> Keys:
        show = KeyUse(self._show, say("OK=IT IS ME"))
        return {Key.OK: show, Held(Key.OK): show}

    def _show(self, table: Table) -> None:
        self.deal.shown_to = self.seat
        table.show(question(self.deal, self.seat))


class VisitorHand(Page):
    """The table, and the visitor's cards one at a time."""

    NAME = "hand"
    HAS_TIME = True
    deal: VisitorDeal
    seat: Seat
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        board, cards = self.deal.board, CardsOfGame(self.deal.game, t)
        options = self.deal.options(self.seat)
        chosen = options[self.cursor]
        turn = t.digits(f"{board.turn}/{board.turns}" if board.turns else f"{self.cursor + 1}/{len(options)}")
        if board.top is not None or not board.stacks:
            layout.title(t("YOUR TURN"), turn)
            layout.hints(*self.hints(session))
            free = layout.free
            if board.top is not None:
                draw_top(layout, Area(0, free.y_px + 1, _TOP_PX, free.height_px - 1), session, board.top)
            area = Area(_TOP_PX + 2, free.y_px + 2, free.width_px - _TOP_PX - 2, free.height_px - 2)
            self._draw_chosen(layout, area, t, cards, chosen)
            return
        rows = are_rows(board.stacks)
        if rows and self.deal.knows_keys:
            side = self._beside_rows(layout, session, cards, turn)
        elif rows:
            side = beside_rows(layout, cards, board.stacks, t("WHICH CARD?"), turn)
            side = beside_words(layout, side, turn, layout.plan.row_pitch_px)
        else:
            layout.frame(t("WHICH CARD?"), aside=turn, needs_px=layout.plan.rows_px)
            draw_rows(layout, cards, self._stacks(chosen))
            free = layout.free
            side = Area(_SIDE_PX, free.y_px + 1, free.width_px - _SIDE_PX, free.height_px - 1)
        high_px = min(26, side.height_px - _BELOW_PX) if rows else 26
        self._draw_chosen(layout, Area(side.x_px, side.y_px, side.width_px, high_px), t, cards, chosen)
        rest = side.below(high_px + 2)
        if rows and self.deal.knows_keys:
            others = [cards.label(option.text) for option in options if option.is_card and option != chosen]
            draw_numbers(layout, rest, others)
            return
        lines = self.hints(session) if rows else (self._fits(t, chosen), *self.hints(session))
        canvas.note(*lines)
        for row, line in enumerate(lines):
            font = layout.fitted(line, rest.width_px - 7, layout.plan.detail[-2:])[0]
            layout.hint(Area(rest.x_px, rest.y_px + 8 * row, rest.width_px, 9), line, font)

    def keys(self, session: Session) -> Keys:
        options = self.deal.options(self.seat)
        chosen, on = options[self.cursor], KeyUse(partial(self._turn, 1), say("4=NEXT"))
        before = KeyUse(partial(self._turn, -1), help=say("PREVIOUS CARD"))
        ok = say("OK=PLAY IT") if chosen.is_card else say("OK=CHOOSE")
        return {
            **dict.fromkeys(_FORWARD, on),
            **dict.fromkeys(_BACK, before),
            Key.OK: KeyUse(partial(_answer, self.deal, self.seat, chosen), ok),
            Key.UNDO: KeyUse(lambda at: at.open(LeaveDeal()), help=say("LEAVE")),
        }

    def take_card(self, action: CardCode, table: Table) -> bool:
        cards = CardsOfGame(self.deal.game, table.session.translate)
        card = cards.card_of(action.card)
        if card is None:
            return False
        for option in self.deal.options(self.seat):
            if option.is_card and option.text.partition("#")[0] == card.partition("#")[0]:
                _answer(self.deal, self.seat, option, table)
                return True
        table.decline(say("YOU DO NOT HAVE {card}", card=cards.label(card)))
        return True

    def _turn(self, step: int, table: Table) -> None:
        self.deal.knows_keys = True
        table.show(replace(self, cursor=(self.cursor + step) % len(self.deal.options(self.seat))))

    def _draw_chosen(
        self, layout: Layout, area: Area, t: Translator, cards: CardsOfGame, option: VisitorChoice
    ) -> None:
        top = _top_of(self.deal, option)
        if top:
            layout.stack(area, (Big(cards.label(top)), t("TAKE IT")))
        elif option.label is not None:
            layout.words(area, t.say(option.label).upper(), MAIN_WORDS)
        elif cards.label(option.text).isdigit():
            layout.main(area, cards.label(option.text))
        else:
            name = cards.named(option.text)
            low = area.height_px < 2 * _LINE_PX
            words = (name,) if low else name.split()
            layout.stack(area, (*map(Big, words), self._fits(t, option)))

    def _fits(self, t: Translator, option: VisitorChoice) -> str:
        if not option.is_card:
            return ""
        return t("IT FITS") if self.deal.fits(option, self.seat) else t("DOES NOT FIT")

    def _stacks(self, option: VisitorChoice) -> tuple[Stack, ...]:
        """Four stacks, those on which the card fits before the others."""
        stacks = self.deal.board.stacks
        if len(stacks) <= PER_PAGE or not option.is_card:
            return stacks
        after = self.deal.match.play(option.text, self.seat, option.ask.kind)
        if not isinstance(after, Match):
            return stacks
        unchanged = {(stack.choice, stack.cards) for stack in after.board.stacks}
        return tuple(sorted(stacks, key=lambda stack: (stack.choice, stack.cards) in unchanged))

    def _beside_rows(self, layout: Layout, session: Session, cards: CardsOfGame, turn: str) -> Area:
        """The rows, where the other cards are listed: the keys stand in the place of the question."""
        keys = self.hints(session)
        layout.canvas.note(*keys)
        side = beside_rows(layout, cards, self.deal.board.stacks, " ".join(keys), turn)
        if layout.bar_px:
            return side
        layout.hint(Area(side.x_px, side.y_px, side.width_px, 14), keys[1], layout.plan.detail[-1])
        return side.below(16)


def _top_of(deal: VisitorDeal, option: VisitorChoice) -> str:
    """The card on top of the pile that an option takes or chooses; empty where it does neither."""
    if option.ask.kind not in (AskKind.CHOOSE, AskKind.TAKE):
        return ""
    return next((stack.cards[-1] for stack in deal.board.stacks if stack.choice == option.text), "")


class WhichRow(Page):
    """The visitor's card fits nowhere and takes a row."""

    HAS_TIME = True
    deal: VisitorDeal
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        board, cards = self.deal.board, CardsOfGame(self.deal.game, t)
        card = cards.label(self.deal.options(self.seat)[0].ask.card)
        layout.costs = True
        side = beside_rows(layout, cards, board.stacks, t("{card} FITS NOWHERE", card=card))
        canvas.note("1=", "2=", "3=", "4=")
        layout.stack(side, (Big(card), t("TAKE A ROW: 1-4")))

    def keys(self, session: Session) -> Keys:
        keys: Keys = {}
        for key, option in zip(ROW_KEYS, self.deal.options(self.seat), strict=False):
            take = partial(_answer, self.deal, self.seat, option, sounds=Signal.TAKING)
            keys |= dict.fromkeys((key, Held(key)), KeyUse(take, help=say("TAKE THE ROW")))
        return keys


class DecisionPage(LargeList):
    """Anything else that a visitor is asked."""

    HAS_TIME = True
    deal: VisitorDeal
    seat: Seat

    def heading(self, session: Session) -> str:
        return session.translate.say(self.deal.options(self.seat)[0].ask.says).upper()

    def offers(self, session: Session) -> list[tuple[Text, VisitorChoice]]:
        options = self.deal.options(self.seat)
        return [(literal(self._label(option, session.translate)), option) for option in options]

    def _label(self, option: VisitorChoice, t: Translator) -> str:
        if top := _top_of(self.deal, option):
            return CardsOfGame(self.deal.game, t).label(top)
        return t.say(option.label).upper() if option.label is not None else option.text

    def chosen(self, item: VisitorChoice, table: Table) -> None:
        _answer(self.deal, self.seat, item, table)


def _answer(
    deal: VisitorDeal, seat: Seat, option: VisitorChoice, table: Table, sounds: Signal = Signal.ACCEPTED
) -> None:
    """Give the answer of a visitor, and show what comes next, or why it is not allowed.

    Where two share the box, the hand of the one who has just answered is covered. After a refusal the
    question stays beneath.
    """
    refused = deal.answer(option, seat)
    if refused is not None:
        table.signal(Signal.REFUSED)
        table.open(SentencePage(refused.fault), lasts_s=8.0)
        return
    table.signal(sounds)
    if deal.visitors > 1:
        deal.shown_to = None
    table.show(next_page(deal))


class LeaveDeal(LargeList):
    """Whether the visitor wants to leave the deal."""

    TITLE = say("LEAVE THE DEAL?")

    def offers(self, session: Session) -> list[Item]:
        return [(say("GO ON"), base.back), (say("LEAVE"), _leave)]

    def keys(self, session: Session) -> Keys:
        go_on = KeyUse(base.back, help=say("GO ON"))
        return {**dict.fromkeys(base.ANY_KEY, go_on), Key.ROW_2: KeyUse(_leave, help=say("LEAVE"))}


def _leave(table: Table) -> None:
    """Close the question, and the deal beneath it."""
    table.close()
    table.close()


def open_deal(thinkers: Robots, game: str, visitors: int, table: Table) -> VisitorDeal:
    """Deal a game to visitors and robots, and show the first page of it."""
    options = table.config.section(RobotOptions)
    chance: RandomSource = Random() if table.chance is None else table.chance  # noqa: S311 - a game
    deal = VisitorDeal(game, visitors, options.level, thinkers, chance)
    deal.placement_s = options.placement_s
    table.session.update(visitors=partial(names_of, deal))
    if visitors:
        table.count(VisitorAction.DEAL_BEGUN)
    table.signal(Signal.ACCEPTED)
    table.open(next_page(deal))
    return deal


def next_page(deal: VisitorDeal) -> Page:
    """The page that comes next; robots answer before it, as far as they have made up their minds."""
    deal.advance()
    if deal.told:
        return Placement(deal, deal.told[0])
    if deal.over:
        deal.told_result = True
        return DealResult(deal)
    if (seat := deal.asked) is None:
        return Thinking(deal)
    return PassOn(deal, seat) if deal.visitors > 1 and deal.shown_to != seat else question(deal, seat)


class Thinking(Page):
    """A robot thinks; the next page follows by itself."""

    KEYS: ClassVar = dict.fromkeys(base.ANY_KEY, KeyUse(lambda _: None, help=say("THINKING ...")))
    CONTINUES_BY_ITSELF = True
    stays_s = 0.3
    deal: VisitorDeal

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout = Layout(canvas, session.plan)
        layout.words(Area(0, 8, 128, 48), session.translate("THINKING ..."), MAIN_WORDS)

    def following(self, session: Session) -> Page:
        return next_page(self.deal)


_WATCHED_S: Final = 3.5
"""A placement in a deal that is only watched: it is told what happens and why."""


class Placement(Page):
    """A card that was placed: where, whose it is, and what it costs. The next one follows by itself."""

    DISMISS_ON_OK = True
    CONTINUES_BY_ITSELF = True
    HAS_TIME = True
    deal: VisitorDeal
    told: PlayedCard

    @property
    def stays_s(self) -> float:
        """As it is configured; longer if people only watch."""
        return self.deal.placement_s if self.deal.visitors else max(_WATCHED_S, self.deal.placement_s)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, line = session.translate, Layout(canvas, session.plan), self.told.line
        cards = CardsOfGame(self.deal.game, t)
        label, name = cards.label(line.card), name_of(self.deal, self.told.seat, t)
        if are_rows(self.told.rows):
            _draw_among_rows(layout, cards, self.told, name)
            return
        if label.isdigit():
            x_px = canvas.text(2, 1, label, LARGE)
            if self.told.on:
                canvas.text(canvas.text(x_px + 3, 1, "→", LARGE) + 4, 1, cards.label(self.told.on), LARGE)
        else:
            layout.words(Area(0, 0, 128, 26), cards.named(line.card), MAIN_WORDS)
        if line.taker is not None and line.heads and not line.covered:
            canvas.text_right(111, 6, t.number(line.heads), TALL)
            canvas.icon(113, 6, "bull", large=True)
        layout.main(Area(0, 28, 128, 16), name, MAIN_WORDS)
        layout.stack(Area(0, 46, 128, 18), (_what_happened(line, t),))

    def following(self, session: Session) -> Page:
        if self.deal.told and self.deal.told[0] is self.told:
            self.deal.told.pop(0)
        return next_page(self.deal)

    def keys(self, session: Session) -> Keys:
        """OK goes on at once; WHY tells the reason. People who only watch leave with any other key."""
        on = KeyUse(lambda at: at.show(self.following(at.session)), help=say("GO ON"))
        why = KeyUse(partial(_explain, self.told.line), help=say("THE REASON"))
        others = on if self.deal.visitors else KeyUse(base.back, help=say("LEAVE"))
        return {
            **dict.fromkeys(base.ANY_KEY, others),
            **dict.fromkeys((Key.OK, Held(Key.OK)), on),
            **dict.fromkeys((Key.WHY, Held(Key.WHY)), why),
        }


def _explain(line: PlacedCard, table: Table) -> None:
    table.open(SentencePage(line.because.says, line.because.rule.title), lasts_s=12.0)


def _draw_among_rows(layout: Layout, cards: CardsOfGame, told: PlayedCard, title: str) -> None:
    t, line, rows = cards.translate, told.line, told.rows
    side = beside_rows(layout, cards, rows, title)
    for place, stack in enumerate(rows):
        if stack.name == line.place:
            light_row(layout, place)
    took = line.taker is not None and line.heads
    cost = (Big(f"+{t.number(line.heads)}{BULL}"),) if took else ()
    says = _what_happened(line, t) if layout.bar_px else title
    layout.stack(side, (Big(cards.label(line.card)), *cost, says))


def _what_happened(line: PlacedCard, t: Translator) -> str:
    if line.taker is not None or not line.place:
        return t.say(line.outcome).upper()
    return t.say(line.because.rule.title)


class DealResult(Page):
    """The points of the deal, best first."""

    DISMISS_ON_OK = True
    CONTINUES_BY_ITSELF = True
    stays_s = 10.0
    deal: VisitorDeal

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        _ = self.deal.worst  # the coach looks at the deal while people read
        points = self.deal.points
        places = list(ranked({Seat(seat): own for seat, own in enumerate(points)}))
        winners = [seat for rank, seat in places if rank == 1]
        you = self.deal.visitors == 1 and self.deal.is_visitor(winners[0])
        winner = t("YOU WIN!") if you else t("{name} WINS", name=name_of(self.deal, winners[0], t))
        layout.frame(winner, *self.hints(session), needs_px=len(places) * layout.plan.pitch_px)
        unit = BULL if CardsOfGame(self.deal.game, t).in_heads else ""
        for row, (rank, seat) in enumerate(places):
            text = f"{t.number(rank)}. {name_of(self.deal, seat, t)}"
            end = f"{t.number(points[seat])}{unit}"
            layout.pair(row, text, end, lit=self.deal.is_visitor(seat))

    def following(self, session: Session) -> Page:
        return AfterDeal(self.deal)

    def keys(self, session: Session) -> Keys:
        on = KeyUse(lambda at: at.show(self.following(at.session)), say("OK=NEXT"))
        return dict.fromkeys(base.ANY_KEY, on)


_CARD: Final = say("TURN {turn}: {better} WAS BETTER THAN {card}")
_ROW: Final = say("TURN {turn}: ROW {better} WAS BETTER THAN ROW {row}")


class AfterDeal(LargeList):
    """The choice that another one was better than, and whether to play again."""

    deal: VisitorDeal

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout = Layout(canvas, self.plan(session))
        layout.words(Area(0, 0, 128, 32), self._says(session), MAIN_WORDS)
        self.draw_choices(Layout(canvas, replace(layout.plan, bar_px=32)), session)

    def offers(self, session: Session) -> list[Item]:
        return [(say("AGAIN"), self._again), (say("BACK"), base.back)]

    def _again(self, table: Table) -> None:
        table.close()
        table.deal(self.deal.game, self.deal.visitors)

    def _says(self, session: Session) -> str:
        t, worst = session.translate, self.deal.worst
        if worst is not None:
            return self._advice(worst, t)
        return t("THANK YOU FOR PLAYING") if self.deal.visitors else t("YOUR TURN?")

    def _advice(self, worst: PlayAdvice, t: Translator) -> str:
        play, label = worst.play, CardsOfGame(self.deal.game, t).label
        if play.row is not None and worst.better_row is not None:
            says = _ROW.with_facts(turn=play.turn, row=play.row + 1, better=worst.better_row + 1)
        else:
            cards = {"card": label(str(play.card)), "better": label(str(worst.better))}
            says = _CARD.with_facts(turn=play.turn, **cards)
        if self.deal.visitors == 1:
            return t.say(says)
        return t("{name}: {what}", name=name_of(self.deal, play.seat, t), what=says)

    def keys(self, session: Session) -> Keys:
        """Key 1 and OK alone play again, key 2 goes back; WHY shows what a better choice would have met."""
        keys = {
            Key.OK: KeyUse(self._again, help=say("AGAIN")),
            **self.choices(session).keys(self.chosen, self.moved),
            Key.UNDO: KeyUse(base.back, help=say("BACK")),
        }
        if (worst := self.deal.worst) is not None:
            page = BetterChoice(self.deal.game, worst)
            keys[Key.WHY] = KeyUse(lambda at: at.open(page), help=say("THE REASON"))
        return keys


class BetterChoice(Page):
    """The rows as they lay, with the card as it was placed, then as the better choice would have been."""

    HAS_TIME = True
    game: str
    worst: PlayAdvice
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        title = t("BETTER CHOICE") if self.part else t("TURN {turn}", turn=self.worst.play.turn)
        play, line = self.worst.play, self.worst.placed()[self.part]
        told = PlayedCard(line, play.seat, rows=play.before.board.stacks)
        _draw_among_rows(layout, CardsOfGame(self.game, t), told, title)

    def keys(self, session: Session) -> Keys:
        on = KeyUse(self._cost if self.part else self.shows(part=1), help=say("GO ON"))
        why = KeyUse(partial(_explain, self.worst.placed()[self.part]), help=say("THE REASON"))
        return {**dict.fromkeys(base.ANY_KEY, on), Key.WHY: why, Held(Key.WHY): why}

    def _cost(self, table: Table) -> None:
        says = say(
            "IT WOULD HAVE COST ABOUT {less} HEADS BY THE END OF THE DEAL, NOT {more}",
            less=Decimals(self.worst.expected_better, 1),
            more=Decimals(self.worst.expected, 1),
        )
        table.show(SentencePage(says, say("WHY?")))


def name_of(deal: VisitorDeal, seat: Seat, t: Translator) -> str:
    if not deal.is_visitor(seat):
        return t("ROBOT {number}", number=seat - deal.visitors + 1)
    return t("YOU") if deal.visitors == 1 else t("PLAYER {number}", number=seat + 1)


def names_of(deal: VisitorDeal, t: Translator) -> tuple[str, ...]:
    """What players are called in the sentences of the referee, by seat."""
    guest = t("GUEST")
    return tuple(
        name_of(deal, seat, t) if deal.visitors != 1 or seat else guest for seat in deal.match.players
    )


class SentencePage(Page):
    """Why a card goes where it goes, or cannot be played now, in the words of the referee."""

    KEYS: ClassVar = dict.fromkeys(base.ANY_KEY, base.OK_BACK)
    HAS_TIME = True
    says: Text
    title: Text = say("NOT NOW")

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.sentence(t.say(self.title), t.say(self.says), *self.hints(session))

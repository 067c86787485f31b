"""What the camera does at a table: cards that it reads are scanned, what it is not sure of is asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Final

from companion.core.ask import Ask, AskKind, Wait
from companion.core.codes import Control, ControlCode
from companion.match.match import Match
from companion.text.sentence import say
from companion.values import replace
from firmware.config.configuration import Config
from firmware.extensions.camera.camera import Camera, DeckFailed, LessonMoved, Watched
from firmware.extensions.camera.capture import DEVICE
from firmware.extensions.camera.cards_in_play import InPlay, asked, codes, in_no_hand, own_code, rows_of
from firmware.extensions.camera.config import CameraOptions, deck_folder
from firmware.extensions.camera.deck_menus import DeckMenus, Decks, not_taught
from firmware.extensions.camera.pages import LookingAtTable, TableChecked, WhichCard
from firmware.extensions.camera.places import Places
from firmware.extensions.camera.rows import row_at
from firmware.extensions.camera.seen import CardsLie, Seen
from firmware.extensions.camera.table_check import Misplaced, misplaced, named
from firmware.play.page import AnyPage
from firmware.play.table import Item, Table
from firmware.screens.parts.kinds import Menu
from firmware.screens.turn.corrections import WrongCard
from firmware.screens.turn.questions import ChooseStack
from firmware.screens.turn.table import Collecting, Home
from firmware.session.actions import Action
from firmware.session.session import Session
from hardware.ports import ExtensionMessage, Message, Scanned, Signal

QUIET_S: Final = 20.0
"""A row that does not agree for so long, while people play, is told."""
_LAID: Final = 0.5
"""A card was laid elsewhere if it lies farther from where it lay, in heights of a card."""


def started(config: Config, post: Callable[[Message], None]) -> CameraService:
    """The camera of a configuration, whose thread runs."""
    folder = deck_folder(config, os.environ)
    camera = Camera(config.section(CameraOptions), folder)
    camera.start(post)
    return CameraService(camera, Decks(folder, config.codes.box), post)


class CameraService:
    """The camera at one table. Game thread only."""

    def __init__(self, camera: Camera, decks: Decks, post: Callable[[Message], None]) -> None:
        self.camera = camera
        self.decks = decks
        self._menus = DeckMenus(camera, decks)
        self._box, self._post = decks.box, post
        self._seen: tuple[Match | None, tuple[str, ...]] = (None, ())
        """The match, and the kept cards, of which the camera knows what can lie there."""
        self._watched = Watched()
        self._questions: list[WhichCard] = []
        """What people were asked, and have not answered."""
        self._lies: tuple[Seen, ...] = ()
        self._lay: tuple[Seen, ...] = ()
        """The same when the match changed last."""
        self._places = Places()
        self._alone: frozenset[str] = frozenset()
        """What the newest card may be, if no other one was laid with it."""
        self._wrong: tuple[tuple[Misplaced, ...], float] = ((), 0.0)
        """What lies wrong while people play, and since when."""
        self._reported: tuple[Misplaced, ...] = ()

    def close(self) -> None:
        self.camera.close()

    def tick(self, table: Table) -> None:
        """Tell the camera what can lie on the table, and people which row does not agree."""
        session = table.session
        match, kept = session.match, session.notes.kept_cards
        if self.decks.changed() or match is not self._seen[0] or kept != self._seen[1]:
            while match is not None and self._places.learn(match, table):
                match = session.match
            self._seen, self._lay = (match, kept), self._lies
            self._follow(table)
            self._wrong = self._wrong_now(match), table.now_s
            come = () if match is None else InPlay.of(match, kept).come
            self._questions = [page for page in self._questions if set(page.cards) & set(come)]
        if self._questions and not any(isinstance(opened.page, WhichCard) for opened in table.pages.opened):
            table.interrupt(self._questions[0])
        wrong, since_s = self._wrong
        if wrong and wrong != self._reported and table.now_s - since_s >= QUIET_S:
            self._reported = wrong
            table.say(wrong[0].says(session.label(wrong[0].card)))

    def _follow(self, table: Table) -> None:
        session, match, watched = table.session, table.session.match, Watched()
        if match is not None and match.asks and match.box:
            deck, in_play = self.decks.in_use(match.box, session), InPlay.of(match)
            by_name = codes(match.box, self._box)
            lie = frozenset(by_name[card] for card in in_play.lie if card in by_name)
            watched = Watched(deck, lie, rows_of(match, by_name), self.decks.changed_ns)
        if watched != self._watched:
            before, self._watched = self._watched, watched
            self.camera.watch(watched)
            if watched.deck and watched.deck != before.deck:
                used = next(deck for deck in self.decks.all if deck.name == watched.deck)
                lacks = len(watched.lie - {code for code, _ in used.cards})
                table.say(not_taught(lacks) if lacks else say("THE CAMERA READS"))

    def handle_message(self, message: ExtensionMessage, table: Table) -> bool:
        match message:
            case CardsLie(asked=True):
                self._check(message.cards, table)
            case CardsLie():
                self._lies, match = message.cards, table.session.match
                if match is not None and match.asks:
                    self._scan(message, match, table)
                    self._take_row(match, table)
                if (wrong := self._wrong_now(match)) != self._wrong[0]:
                    self._wrong = wrong, table.now_s
            case LessonMoved(progress):
                self._menus.show_progress(progress, table)
            case DeckFailed(error):
                table.refuse_error(error)
            case _:
                return False
        return True

    def _scan(self, laid: CardsLie, match: Match, table: Table) -> None:
        """Give the cards that can come to the table, as a scanner would, and ask about what is not sure."""
        ask, copies = asked(match), self._copies(laid.came, match, table.session)
        if isinstance(table.front, WrongCard):  # the wrong card is shown again, and then the right one
            lie = InPlay.of(match).lie
            names = {code: name for name, code in codes(match.box, self._box).items() if name in lie}
            copies = copies or [names[code] for code in laid.came if code in names]
        # Of cards that lay there before, those of the first rows are meant, if they are all of them.
        if laid.first and (
            ask is None or ask.kind is not AskKind.LAY or len(copies) != ask.need - len(ask.have)
        ):
            return
        self._questions = [page for page in self._questions if not set(page.cards) & set(copies)]
        asks = [cards for unsure in laid.unsure if (cards := self._copies(unsure, match, table.session))]
        if laid.came or laid.unsure:
            self._alone = frozenset(*asks or [copies]) if len(copies) + len(asks) == 1 else frozenset()
        for card in copies:
            if in_no_hand(card, match):
                self._open_question(WhichCard((card,), self._answered, doubtful=True), table)
            else:
                self._post(Scanned(own_code(match.box, card, self._box), table.now_s))
        for cards in asks:
            choices = tuple(cards[: table.session.plan.choices])
            self._open_question(WhichCard(choices, self._answered), table)

    def take_card(self, card: str, ask: Ask | None, table: Table) -> None:
        """Let a card of a turn count as that of the player at whose place it lies."""
        together = ask is not None and ask.kind is AskKind.PLAY and ask.wait is Wait.ALL
        code = codes(table.session.playing.box, self._box).get(card, "-")
        seen = [at for at in self._lies if at.code == code]
        seen = seen or [at for at in self._lies if code in at.candidates]
        if ask is not None and together and card not in ask.have:
            # While something else is asked, the display does not name who is next.
            alone, at = card in self._alone and not self._questions, seen[0] if len(seen) == 1 else None
            self._places.open(card, ask, at, table, alone=alone)

    def _take_row(self, match: Match, table: Table) -> None:
        """Choose the row at which the card that takes one was laid since that is asked, as a key would."""
        page = table.front if isinstance(table.front, ChooseStack) else table.base
        if not isinstance(page, ChooseStack):
            return
        code = codes(match.box, self._box).get(page.ask.card, "-")
        lay, lies = ([at for at in seen if at.code == code] for seen in (self._lay, self._lies))
        if len(lay) == len(lies) == 1 and not lies[0].lies_at(lay[0], _LAID):
            before, row = (row_at(at, self._lay, self._watched.rows) for at in (*lay, *lies))
            if row is not None and row != before:  # else it was opened beside that row
                page.choose(match.board.stacks[row].choice, table)

    def page(self, page: AnyPage, session: Session) -> AnyPage:
        """The page of a turn, with whose card comes where players open one after the other."""
        if isinstance(page, Home | Collecting) and self._watched.deck and DEVICE not in session.faults:
            page = replace(page, whose=self._places.next_in_order(page.ask, session))
        return page

    def _copies(self, seen: Iterable[str], match: Match, session: Session) -> list[str]:
        """The cards of these codes that can come now, by name."""
        in_play, found = InPlay.of(match, session.notes.kept_cards), list[str]()
        names = {code: name for name, code in reversed(codes(match.box, self._box).items())}
        for code in seen:
            copy = in_play.copy_of(names[code], found) if code in names else None
            if copy is not None:
                found.append(copy)
        return found

    def _open_question(self, page: WhichCard, table: Table) -> None:
        self._questions.append(page)
        table.signal(Signal.REFUSED)
        table.interrupt(page)

    def _answered(self, page: WhichCard) -> None:
        self._questions = [question for question in self._questions if question is not page]

    def can_check(self, session: Session) -> bool:
        """Whether the camera can compare the table with what the referee has."""
        match = session.match
        lies = match is not None and any(stack.cards for stack in match.board.stacks)
        return lies and bool(self._watched.deck) and DEVICE not in session.faults

    def answer(self, action: Action, table: Table) -> bool:
        """The check of the table needs no scan here."""
        audits = isinstance(action, ControlCode) and action.control is Control.AUDIT
        if checks := audits and self.can_check(table.session):
            self.check_table(table)
        return checks

    def check_table(self, table: Table) -> None:
        """Read the whole table, and say what lies wrong."""
        if isinstance(table.front, TableChecked):
            table.close()
        self.camera.read_table()
        table.open(LookingAtTable())

    def _check(self, cards: tuple[Seen, ...], table: Table) -> None:
        match = table.session.match
        if match is None or not isinstance(table.front, LookingAtTable):
            return
        # A card that was read when it was laid, and has not moved since, need not be read again.
        read = {card.code for card in cards}
        kept = [card for card in self._lies if card.code and card.code not in read]
        cards += tuple(card for card in kept if not any(card.lies_at(at) and at.code for at in cards))
        wrong = misplaced(match, named(cards, match, self._box))
        table.signal(Signal.REFUSED if wrong else Signal.ACCEPTED)
        table.show(TableChecked(tuple(wrong), self.check_table))

    def _wrong_now(self, match: Match | None) -> tuple[Misplaced, ...]:
        """What lies in a wrong row between two turns. What is not seen may only be covered."""
        ask = None if match is None else asked(match)
        if match is None or ask is None or ask.kind is not AskKind.PLAY or ask.have:
            return ()
        sure = [card for card in self._lies if card.code]
        wrong = misplaced(match, named(sure, match, self._box))
        return tuple(card for card in wrong if card.seen is not None)

    def menu(self, table: Table) -> tuple[Item, ...]:
        """The row CAMERA."""

        def open_menu(at: Table) -> None:
            check = [(say("CHECK THE TABLE"), self.check_table)] if self.can_check(at.session) else []
            at.open(Menu(say("CAMERA"), (*check, *self._menus.items())))

        return ((say("CAMERA"), open_menu),)

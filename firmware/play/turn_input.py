"""What a scanned card or badge means in the turn that is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from companion.core import games
from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.core.ruling import Refused
from companion.text.sentence import NOTHING, say
from firmware.play.strict_turn import ChoiceClock, hear_ready
from firmware.play.turn_clock import TurnClock, announce
from firmware.screens.parts.base import Controller
from firmware.screens.turn.extra_card import EarlyCard, ExtraCard, KeptCard
from firmware.screens.turn.refusal import DuplicateCard, MissingCards
from hardware.ports import Signal

if TYPE_CHECKING:
    from companion.match.match import Match
    from firmware.config.sections.table import TableOptions
    from firmware.play.extension import Extension
    from firmware.play.page_stack import PageStack
    from firmware.play.strict_turn import Said
    from firmware.screens.parts.base import Page
    from firmware.session.actions import BadgeAction

EARLY_S: Final = 8.0
"""For how long the display says that a card has begun the next turn, while no other one comes."""

DUPLICATE_S: Final = 2.0


class CardTable(Controller, Protocol):
    """What cards and badges need of the controller beside what pages need."""

    @property
    def now_s(self) -> float:
        """The time of what is answered now, in seconds of the controller's clock."""

    @property
    def base(self) -> Page:
        """The page of the open question, beneath all others."""

    @property
    def stack(self) -> PageStack:
        """The open pages."""

    @property
    def extensions(self) -> tuple[Extension, ...]:
        """The optional parts of this table."""


class _RulingBefore(NamedTuple):
    page: Page
    turn: tuple[str, ...]


class TurnInput:
    """Takes cards and badges. `options` has the times that people may change."""

    def __init__(self, table: CardTable, options: TableOptions) -> None:
        self._table, self._options = table, options
        self.clock = TurnClock()
        self._choice = ChoiceClock()
        self._early: tuple[int, EarlyCard] | None = None
        """The newest card that came right after a ruling, with the number of its step."""

    def tick(self) -> None:
        """Let time pass: a badge holds for a while only."""
        self.clock = self.clock.tick(self._table.now_s)

    def remind(self) -> None:
        """Ask for cards that are missing for long, and for a choice whose time runs out."""
        self._ask_for_missing()
        self._choice, said = self._choice.tick(self._table.session, self._options.choice_s, self._table.now_s)
        if said is not None:
            self._tell(said)

    def after_step(self, *, ruled: bool) -> None:
        """Note that a step was made; `ruled`: a ruling has appeared with it."""
        self.clock = self.clock.after_step(self._table.now_s, ruled=ruled)

    def play(self, card: str, game: str = "") -> None:
        """Take a card as scanned; `game` is the two characters its code begins with, empty for any."""
        table, session = self._table, self._table.session
        match = session.match
        read, card = card, session.card_named(card, game) or card  # a code has the number of a card
        ruling = self._ruling_before(match) if match is not None and game in ("", session.code) else None
        if ruling is not None and card in ruling.turn:
            table.decline(say("{card} ALREADY SCANNED", card=session.label(card)), Signal.DUPLICATE)
            return
        if match is None or not match.asks:
            if ruling is None:
                table.decline(say("NO MATCH IN PROGRESS"))
            else:  # no turn follows, so it is one too many of the last one
                table.signal(Signal.REFUSED)
                table.home()
                table.open(ExtraCard(ruling.turn, card, plays_on=False))
            return
        if game and game != session.code:
            self._refuse_other_game(game, match)
            return
        ask = next((one for one in match.asks if one.kind.gives is Gives.CARD), None)
        if any(one.take_card(card, ask) for one in table.extensions):
            return
        if ask is not None and card in ask.have:
            table.decline(say("{card} ALREADY SCANNED", card=session.label(card)), Signal.DUPLICATE)
            table.home()
            table.open(DuplicateCard(card, ask.have.index(card) + 1, ask.need), lasts_s=DUPLICATE_S)
            return
        if ask is None and self._keeps(card):
            return
        # Where no card is asked for, it is proposed as played: the referee says why that cannot be now.
        ask = ask or Ask(AskKind.PLAY, match.asks[0].seats, Wait.ALL, NOTHING)
        seat = session.next_in_order(ask) if self.clock.announced is None else self.clock.announced
        table.home()
        if not table.propose(match.game.read(ask, seat, read)):
            for extension in table.extensions:
                extension.card_refused(card, ask)
        else:
            self.clock = self.clock.after_card(table.now_s)
            if ruling is not None:
                begun = session.playing
                self._early = (begun.steps, EarlyCard(ruling.turn, card, ruling.page))
                table.open(self._early[1], lasts_s=EARLY_S)

    def play_kept(self) -> None:
        """Play the cards that came while a question was open, as soon as it is answered."""
        table, session = self._table, self._table.session
        while session.kept_cards.cards and (match := session.match) is not None:
            if match.asks and all(ask.kind.gives is not Gives.CARD for ask in match.asks):
                return
            if not match.asks and self._ruling_before(match) is None:
                session.kept_cards.clear()  # the match was ended before the turn was
                return
            card, on_top = session.kept_cards.cards[0], table.stack.pages[:]
            if not (match.asks and card in match.asks[0].have):  # it was played, then the power went
                self.play(card)
            session.kept_cards.remove(card)
            table.stack.pages.extend(on_top)  # what the answer led to is told first

    def _keeps(self, card: str) -> bool:
        """Keep a card for the next turn, if nothing but the open question about this one is against it."""
        table, session = self._table, self._table.session
        match = session.playing
        placing = match.board.placing
        if not placing:
            return False
        if card in session.kept_cards.cards:
            table.decline(say("{card} ALREADY SCANNED", card=session.label(card)), Signal.DUPLICATE)
            return True
        proposed = match.propose(match.game.read(Ask(AskKind.PLAY, (), Wait.ALL, NOTHING), None, card))
        if not isinstance(proposed, Refused) or not proposed.waits:
            return False
        session.kept_cards.keep(card)
        table.signal(Signal.ACCEPTED)
        table.home()
        table.open(KeptCard(placing, card))
        return True

    def take_badge(self, action: BadgeAction) -> None:
        """Note that the player of a badge is ready, or that the next card is theirs."""
        if (ready := hear_ready(action, self._table.session)) is not None:
            self._tell(ready)
            return
        result = announce(action, self._table.session, self.clock, self._table.now_s)
        self.clock = result.clock
        if result.signal is Signal.REFUSED:
            self._table.decline(result.says)
            return
        if result.signal is not None:
            self._table.signal(result.signal)
        self._table.say(self._table.session.translate.say(result.says))

    def _tell(self, said: Said) -> None:
        if said.signal is not None:
            self._table.signal(said.signal)
        self._table.say(said.says)

    def _refuse_other_game(self, game: str, match: Match) -> None:
        title = next((one.TITLE for one in map(games.module, games.GAMES) if game == one.CODE), game)
        fault = say("this card belongs to {game}", game=title)
        fix = say("scan a card of {game}", game=match.game.title)
        self._table.explain(fault, fix, say("CARD OF ANOTHER GAME"))

    def _ruling_before(self, match: Match) -> _RulingBefore | None:
        """The ruling that has just appeared and is still shown, and its cards; None where there is none.

        Players need some seconds to place the cards of a turn. A card that comes before that may be one too
        many of it. It may as well be the first one of the next turn, and nobody can see which: so it is
        played as that, and one key corrects that.
        """
        if self._table.now_s - self.clock.ruled_s >= self._options.extra_card_s:
            return None
        page = self._table.base
        if not page.HOLDS_EXTRA_CARD:
            return None
        lines = () if match.position.over else match.board.newest
        lines = lines or match.game.board(match.position.finished).newest
        return _RulingBefore(page, tuple(line.card for line in lines))

    def _ask_for_missing(self) -> None:
        match = self._table.session.match
        ask = next((one for one in match.asks if one.kind is AskKind.PLAY), None) if match else None
        if ask is None or not ask.have:
            self.clock = self.clock.without_waiting()
        elif self.clock.has_waited(self._table.now_s, self._options.missing_card_s):
            self.clock = self.clock.without_waiting()
            if not self._table.stack.pages:
                early = self._early
                newest = match.newest.number if match is not None and match.newest else 0
                alone = early is not None and early[0] == newest
                self._table.open(MissingCards(early[1].question if early is not None and alone else None))

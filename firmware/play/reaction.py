"""What can be done at a table while one action is answered. Each thing gives another table, or an effect.

Pages and optional parts call this; who is asked, and in which order, is in `react`.
"""

from typing import Any, Final

from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.core.board import Board
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.core.score_sheet import DealScored
from companion.match.match import Match, Step
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, Text, say
from companion.values import Value, replace
from firmware.play import cards
from firmware.play.cards import NewRuling
from firmware.play.effects import Counted, Effect, PlainEffect, SignalGiven, StepStored, WasRefused
from firmware.play.table import NOT_SCANNED, Table, TableReader
from firmware.screens import joining
from firmware.screens.parts.base import Item, Page, StepResult, VisitorAction
from firmware.screens.turn.corrections import undone
from firmware.screens.turn.refusal import DeviceAway, EarlyCard, Refusal, UnknownCodePage, title_of
from firmware.screens.turn.ruling import OutOfCards, WhoTakes
from firmware.session.actions import Action, BadgeAction, Hold
from firmware.session.session import Session, steps_to_card
from hardware.ports import DeviceFault, Light, Scanned, Signal

NOTICE_S: Final = 2.5
FAULT_S: Final = 5.0
_MOST_SEEN: Final = 300
"""Results of which it is known that people have seen them; a device runs for months."""

UNKNOWN_CODE_S: Final = 5.0
"""For how long a page about an unknown code is shown."""


def _deal_began(match: Match) -> int:
    """The number of the step that ended the deal before; 0 in the first one."""
    at: Match | None = match
    while at is not None and at.newest is not None:
        if any(isinstance(event, DealScored) for event in at.newest.events):
            return at.newest.number
        at = at.before
    return 0


class Reaction(TableReader):
    """One action while it is answered: the new table so far, and what is to be done.

    It is the controller of the pages (`firmware.screens.parts.base.Controller`), and what parts use
    (`firmware.play.extension`): what most of its methods do is said there.
    """

    def __init__(self, table: Table, now_s: float) -> None:
        self.table = replace(table, now_s=now_s)
        self.effects: list[Effect] = []
        self.session: Session = table.equipment.session.at(table.state, self.effects.append)
        self.session.stepped = self._note_step
        self.passed_on: list[Action] = []
        """What is to be answered next: a page has passed it on."""

    def act(self, action: Action) -> None:
        self.passed_on.append(action)

    def result(self) -> tuple[Table, tuple[Effect, ...]]:
        """The new table, and what is to be done."""
        return replace(self.table, state=self.session.state), tuple(self.effects)

    def is_repeated(self, scanned: Scanned) -> bool:
        """Whether the scanner has read the same code again while the card was still held before it.

        A number that is typed twice is meant twice: two players have the same points.
        """
        before, scanned_s = self.table.scanned
        self.change(scanned=(scanned.text, self.now_s))
        if scanned.typed and scanned.text.lstrip("-").isdigit():
            return False
        return scanned.text == before and self.now_s - scanned_s < self.config.table.duplicate_s

    def wake(self) -> None:
        """Light a dark display up, so that the next key counts."""
        self.change(active_s=self.now_s, light=Light.FULL)

    def begin_switch_off(self) -> None:
        self.hold(Hold(self.now_s))

    def hold(self, hold: Hold) -> None:
        """Hold a key down to switch the machine off, or release it."""
        left_s = hold.left(self.now_s)
        if left_s != self.session.state.switch_off_in_s:
            self.session.change(switch_off_in_s=left_s)
        self.change(hold=hold)

    def restart(self) -> None:
        self.effects.append(PlainEffect.RESTART)

    def try_again(self) -> None:
        self.change(unstored=None)

    def change(self, **changes: Any) -> None:  # noqa: ANN401 - of any field
        """Put a table with other fields in the place of the one there is."""
        self.table = replace(self.table, **changes)

    # ------------------------------------------------------------------------------------- the pages

    def extension_items(self) -> tuple[Item, ...]:
        return tuple(item for one in self.extensions for item in one.menu(self))

    def open(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a page on top, without a notice over it; it closes by itself after `lasts_s`."""
        until_s = None if lasts_s is None else self.now_s + lasts_s
        self.change(notice="", pages=self.pages.open(page, until_s))

    def interrupt(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a message on top that nobody has asked for: a key of this moment was not meant for it."""
        until_s = None if lasts_s is None else self.now_s + lasts_s
        self.change(notice="", pages=self.pages.interrupt(page, until_s, self.now_s))

    def show(self, page: Page) -> None:
        if self.pages.opened:
            self.change(pages=self.pages.show(page))
        else:
            self.open(page)

    def close(self) -> None:
        self.change(pages=self.pages.close())

    def home(self) -> None:
        if self.pages.opened:
            self.change(pages=self.pages.home())

    def keep_longer(self, by_s: float) -> None:
        self.change(pages=self.pages.keep_longer(by_s))

    def set_up(self, page: Page | None) -> None:
        self.change(setup=page)
        if page is not None:
            for extension in self.extensions:
                page = extension.set_up(page, self)
                self.change(setup=page)

    def acknowledge(self, result: str) -> None:
        seen = {**self.table.seen, self.moment: self.table.seen.get(self.moment, frozenset()) | {result}}
        if len(seen) > _MOST_SEEN:
            del seen[next(iter(seen))]
        self.change(seen=seen)

    # --------------------------------------------------------------------------- beside the pages

    def say(self, text: Text) -> None:
        says = self.session.translate.say(text)
        self.change(notice=says, notice_until_s=self.now_s + NOTICE_S)

    def decline(self, says: Text, signal: Signal = Signal.REFUSED) -> None:
        self.signal(signal)
        self.note_refusal(says)
        self.say(says)

    def explain(self, fault: Text, fix: Text, title: Text) -> None:
        self._refuse_with(Refusal(fault, fix, title), fault, fix)

    def note_refusal(self, fault: Text, fix: Text = NOTHING, rule: str = "") -> None:
        """Note, for those who watch, that something was refused; `rule` is the key of what forbids it."""
        self.effects.append(WasRefused(rule, fault, fix))

    def signal(self, signal: Signal) -> None:
        self.effects.append(SignalGiven(signal))

    @property
    def signals(self) -> int:
        """How many signals were given in answer to this action."""
        return sum(isinstance(one, SignalGiven) for one in self.effects)

    def count(self, what: VisitorAction) -> None:
        if self.kiosk is not None:
            self.effects.append(Counted(what))

    def save_counts(self) -> None:
        """Write what was counted, once all that was done now is done."""
        self.effects.append(PlainEffect.COUNTS_DUE)

    def keep(self, value: Value) -> None:
        """Keep a value as part of the table, in the place of another one of its class."""
        self.change(kept={**self.table.kept, type(value): value})

    def speak(self, language: str) -> None:
        """Say everything in a language; a kiosk does so until the next visitor comes."""
        if self.kiosk is not None:
            self.kiosk.speak(language, self)
        else:
            self.session.use_language(language)

    def deal(self, game: str, visitors: int) -> None:
        if not any(one.deal(game, visitors, self) for one in self.extensions):
            self.decline(say("NOT POSSIBLE NOW"))

    def toggle_sound(self) -> None:
        self.change(muted=not self.muted)
        self.say(say("SOUND OFF") if self.muted else say("SOUND ON"))

    def refuse(self, refused: Refused, command: Any = None) -> None:  # noqa: ANN401 - a command of any game
        """Show why a command is refused, and the way back to where its card was played before."""
        card = str(getattr(command, "card", ""))
        back = steps_to_card(self.session.playing, card) if card and self.session.match else None
        if back is not None:
            back += len(self.session.notes.kept_cards)  # they are the newest
        title = title_of(refused, command)
        page = Refusal(refused.fault, refused.fix, title, refused.penalty, back)
        self._refuse_with(page, refused.fault, refused.fix, refused.rule.key)

    def refuse_error(self, bad: CompanionError) -> None:
        self._refuse_with(Refusal(bad.fault_text, bad.fix_text), bad.fault_text, bad.fix_text)

    def refuse_code(self, page: UnknownCodePage) -> None:
        """Show that a code means nothing here."""
        self._refuse_with(page, page.why, page.fix, lasts_s=UNKNOWN_CODE_S)

    def _refuse_with(
        self, page: Page, fault: Text, fix: Text, rule: str = "", lasts_s: float | None = None
    ) -> None:
        self.signal(Signal.REFUSED)
        self.note_refusal(fault, fix, rule)
        self.open(page, lasts_s)

    # ------------------------------------------------------------------------------ cards and badges

    def play(self, card: str, game: str = "") -> None:
        """Take a card as scanned; `game` is the two characters its code begins with, empty for any."""
        session, match = self.session, self.session.match
        read, card = card, session.card_named(card, game) or card  # a code has the number of a card
        other = match is not None and game not in ("", session.code)
        ruling = None if other else self._new_ruling
        no = cards.without_turn(card, ruling, session)
        if no is not None or match is None:
            self._decline_card(no or cards.NO_MATCH)
            return
        if other:
            self.explain(*cards.of_other_game(game, match), say("CARD OF ANOTHER GAME"))
            return
        ask = cards.asked(match)
        if any(one.take_card(card, ask, self) for one in self.extensions):
            return
        if ask is not None and card in ask.have:
            self._decline_card(cards.already_scanned(card, session, ask))
        elif ask is not None or not self._keeps(card):
            self._propose_card(ask or cards.any_time(match), card, read, ruling)

    def _propose_card(self, ask: Ask, card: str, read: str, ruling: NewRuling | None) -> None:
        session, match, announced = self.session, self.session.playing, self.table.turn.announced
        self.home()
        seat = session.next_in_order(ask) if announced is None else announced
        command, before = cards.command_for(read, ask, seat, match), match.board
        if not self._show_result(session.propose(command), before, command):
            return
        self.change(turn=self.table.turn.after_card(self.now_s))
        if ruling is not None:
            early = EarlyCard(ruling.turn, card, ruling.page)
            self.change(early=(session.playing.steps, early))
            self.open(early, lasts_s=cards.EARLY_S)

    def _decline_card(self, no: cards.DeclinedCard) -> None:
        if no.says is NOTHING:
            self.signal(no.signal)
        else:
            self.decline(no.says, no.signal)
        if no.page is not None:
            self.home()
            self.open(no.page, lasts_s=no.lasts_s)

    def _keeps(self, card: str) -> bool:
        """Keep a card for the next turn, if nothing but the open question about this one is against it."""
        session = self.session
        if session.playing.board.placing and card in session.notes.kept_cards:
            self._decline_card(cards.already_scanned(card, session))
            return True
        if (page := cards.kept(card, session.playing)) is None:
            return False
        session.notes.keep_cards((*session.notes.kept_cards, card))
        self.signal(Signal.ACCEPTED)
        self.home()
        self.open(page)
        return True

    @property
    def takes_kept_cards(self) -> bool:
        """Whether the first card that has waited for an answer is played, or forgotten, now."""
        match = self.session.match if self.session.notes.kept_cards else None
        return match is not None and (not match.asks or cards.asked(match) is not None)

    def play_kept_card(self) -> None:
        """Play the first card that has waited for an answer."""
        notes, match = self.session.notes, self.session.playing
        if not match.asks and self._new_ruling is None:
            notes.keep_cards(())  # the match was ended before the turn was
            return
        card, on_top = notes.kept_cards[0], self.pages.opened
        if not (match.asks and card in match.asks[0].have):  # it was played, then the power went
            self.play(card)
        notes.keep_cards([one for one in notes.kept_cards if one != card])
        # What the answer led to is told first.
        self.change(pages=replace(self.pages, opened=(*self.pages.opened, *on_top)))

    @property
    def _new_ruling(self) -> NewRuling | None:
        """The ruling that has just appeared and is still shown."""
        options, match = self.config.table, self.session.match
        if match is None or self.now_s - self.table.turn.ruled_s >= options.extra_card_s:
            return None
        return cards.new_ruling(match, self.base)

    def take_badge(self, action: BadgeAction) -> None:
        """Note that the player of a badge is ready, or that the next card is theirs."""
        session, match = self.session, self.session.match
        asks = () if match is None else match.asks
        seat = None if match is None else session.seat(action.badge)
        if seat is not None and asks and session.waits_for_ready and cards.before_reveal(asks[0]):
            self._note_ready(seat, asks[0])
            return
        ask = next((one for one in asks if seat in one.seats), None)
        if ask is not None and ask.wait is not Wait.ONE and ask.kind.gives is Gives.CARD and seat is not None:
            self._announce(seat, action.at_s if ask.kind is AskKind.RACE else None)
        elif seat is not None and ask is None and any(one.kind is AskKind.PLAY for one in asks):
            name = session.names.short(action.badge, 8)
            one = any(one.wait is Wait.ONE for one in asks)
            self.decline(say("NOT {name}'S TURN", name=name) if one else say("{name} HAS PLAYED", name=name))
        elif match is not None and seat is None and asks and action.at_s is None:
            self.join(action.badge)
        else:
            self.decline(say("NO BADGE NEEDED NOW"))

    def _note_ready(self, seat: Seat, ask: Ask) -> None:
        """Note that a player has chosen a card. When all have, the display says so; nothing else happens."""
        session = self.session
        ready, need = session.note_ready(seat), ask.need - session.shown_by_box()
        name = session.short_name(seat, 8)
        one = say("{name} IS READY {ready}/{need}", name=name, ready=ready, need=need)
        self.signal(Signal.ACCEPTED)
        self.say(say("ALL READY: REVEAL") if ready >= need else one)

    def _announce(self, seat: Seat, pressed_s: float | None) -> None:
        """The next card is this player's. In a race the first of the players' own keys counts."""
        session, clock = self.session, self.table.turn
        if pressed_s is not None and clock.was_early(pressed_s):
            self.decline(say("{name}: TOO EARLY", name=session.short_name(seat, 8)))
        elif pressed_s is not None and (first := clock.ahead_of(pressed_s)) is not None:
            self.say(say("{name} WAS FIRST", name=session.short_name(first, 8)))
        else:
            self.change(turn=clock.announce(seat, self.now_s, pressed_s))
            self.signal(Signal.ACCEPTED)
            self.say(say("{name}: SCAN A CARD", name=session.short_name(seat, 6)))

    # ------------------------------------------------------------------------------------- the match

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        before = self.session.playing.board
        return self._show_result(self.session.propose(command), before, command)

    def answer(self, ask: Ask, seat: Seat | None, text: str) -> bool:
        return self.propose(self.session.playing.game.read(ask, seat, text))

    def join(self, badge: int | None = None) -> bool:
        session, notes = self.session, self.session.notes
        again = badge is not None and badge in notes.joins_next
        if not again and (session.can_join(badge) or not session.can_join_next(badge)):
            return self._join_now(badge)
        if not again:
            notes.join_next((*notes.joins_noted, (badge or 0, session.playing.steps)))
        self.home()
        self.signal(Signal.DUPLICATE if again else Signal.ACCEPTED)
        self.say(joining.joins_next(badge or 0, session))
        return True

    def _join_now(self, badge: int | None) -> bool:
        session, match = self.session, self.session.playing
        seat = session.seat_to_join(badge)
        joined = self._show_result(session.join(badge), match.board, match.game.join(seat))
        if joined:
            self.say(joining.has_joined(session.badge(seat), session))
        return joined

    def let_join(self) -> None:
        """Let those join who wait for the next deal, once people have seen the result of this one."""
        session, match, waits = self.session, self.session.match, self.session.notes.joins_noted
        if not waits or match is None or not match.asks or match is self.unstored:
            return
        scored = match.newest is not None and isinstance(match.newest.events[-1], DealScored)
        if scored and not self.has_seen(StepResult.DEAL):
            return
        badge, noted = waits[0][0] or None, waits[0][1]
        if _deal_began(match) >= noted and session.can_join(badge):
            session.notes.join_next(waits[1:])
            self._join_now(badge)

    def undo(self) -> None:
        match, kept, joins = self.session.match, self.session.notes.kept_cards, self.session.notes.joins_noted
        if match is None:
            return
        self.change(scanned=NOT_SCANNED)  # a card that is taken back may be scanned again at once
        if kept:
            *others, card = kept
            self.session.notes.keep_cards(others)
            says = say("{what} UNDONE", what=self.session.label(card))
        elif joins and joins[-1][1] == match.steps:
            self.session.notes.join_next(joins[:-1])
            says = joining.does_not_join(joins[-1][0], self.session)
        elif self.session.has_result_before:
            self.session.back_to_result()
            says = say("BACK TO THE RESULT")
        else:
            for extension in self.extensions:
                extension.undoes(match, self)
            result = self.session.undo()
            if isinstance(result, Refused):
                self.refuse(result)
                return
            says = undone(match.newest, self.session) if match.newest is not None else NOTHING
        self.home()
        self.signal(Signal.ACCEPTED)
        if says is not NOTHING:
            self.say(says)

    def _show_result(self, result: Step | Refused, before: Board, command: object) -> bool:
        """Tell what became of a command, given the board before it; no page stays open over a step."""
        if isinstance(result, Refused):
            self.refuse(result, command)
            return False
        self.home()
        self._tell_step(result, before)
        return True

    def _tell_step(self, step: Step, before: Board) -> None:
        """Tell what the newest step has led to: signals, a line, each taking for a moment."""
        session, match = self.session, self.session.playing
        scored = any(isinstance(event, DealScored) for event in step.events)
        # With the last card of a deal the next deal has begun: what it did is on the table of the old one.
        board = match.game.board(match.position.finished) if scored else match.board
        lines = board.newest
        fresh = lines[len(before.newest) :] if lines[: len(before.newest)] == before.newest else lines
        told: list[Page] = [WhoTakes(line, line.taker) for line in fresh if line.taker is not None]
        ruled = bool(fresh) and board.revealed
        self.change(turn=self.table.turn.after_step(self.now_s, ruled=ruled))
        if not ruled:
            self.acknowledge(StepResult.RULING)  # there is nothing to place
        self.signal(Signal.TAKING if told else Signal.ACCEPTED)
        says = NOTHING  # said in any case: what stands there was before
        if fresh and not board.revealed and not self.base.TITLE_ASKS:
            says = say("{card} {outcome}", card=session.label(fresh[-1].card), outcome=fresh[-1].outcome)
        for seat, (had, has) in enumerate(zip(before.hands, board.hands, strict=False)):
            if has == 1 and had > 1:
                self.signal(Signal.LAST_CARD)
                says = say("{name}: LAST CARD!", name=session.short_name(Seat(seat), 8))
            elif not has and had:
                told.append(OutOfCards(Seat(seat)))
        self.say(says)
        lasts_s = self.config.table.take_shown_s
        for place, page in reversed([*enumerate(told, start=1)] if lasts_s else []):
            self.open(page, lasts_s=place * lasts_s)

    def _note_step(self, step: Step) -> None:
        self.effects.append(StepStored(self.session.match_id, step, self.session.playing))

    # ------------------------------------------------------------------------------------- devices

    def enter_fault(self, fault: DeviceFault) -> None:
        """Note that a device does not work, and tell people of a new fault."""
        self.hold(Hold())  # it may be the key that is held: then nobody would hear its release
        fresh = fault.device not in self.session.faults
        self.session.note_fault(fault)
        if fresh:
            self.interrupt(DeviceAway(fault), FAULT_S)

    def remove_fault(self, device: str) -> None:
        """Note that a device works again, and say so."""
        if device in self.session.faults:
            self.session.note_recovery(device)
            self.change(
                pages=self.pages.remove(
                    [
                        one.page
                        for one in self.pages.opened
                        if isinstance(one.page, DeviceAway) and one.page.away.device == device
                    ]
                )
            )
            self.say(say("{device} OK", device=device.partition("/")[0].upper()))

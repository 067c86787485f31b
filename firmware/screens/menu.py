"""What people may do on every page: the usual keys, the menu, the control codes, and the help."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from operator import attrgetter
from typing import Any, ClassVar, Final

from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.core.board import PlacedCard
from companion.core.codes import BADGES, Control, ControlCode
from companion.core.ruling import ForgetHands, Refused
from companion.core.score_sheet import DealScored
from companion.match.commands import EndMatch, MatchEnded, ScoreCorrected, TieSettled
from companion.match.match import Match
from companion.text.errors import CompanionError
from companion.text.sentence import COMMA, NOTHING, Text, count, in_context, literal, say
from firmware.display.canvas import Canvas
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.play.page import AnyPage
from firmware.play.table import Item, Table
from firmware.screens.before.set_up_table import set_up_table
from firmware.screens.before.start import (
    HelloPage,
    LanguagePage,
    interrupted_setup,
    resume_suspended,
    suspend_for_now,
)
from firmware.screens.count import AuditPage, CardCount
from firmware.screens.joining import ask_who_leaves_or_joins, can_change
from firmware.screens.parts import base
from firmware.screens.parts.base import Held, Keys, KeyUse, Page
from firmware.screens.parts.kinds import MOVES, Confirm, Menu, Message, NotNow, cursor_moves
from firmware.screens.parts.names import NameWhom, name_badge
from firmware.screens.result import views
from firmware.screens.result.ending import celebrate
from firmware.screens.result.results import correct_score, show_results
from firmware.screens.result.views import Graph
from firmware.screens.turn.corrections import PickPlayers, SwapPreview, WrongCard, can_correct
from firmware.screens.turn.history import open_history
from firmware.screens.turn.questions import ask_which_owner, cards_without_owner
from firmware.screens.turn.ruling import Why
from firmware.screens.turn.step_names import redone
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from firmware.session.session import Session, ends_of
from hardware.ports import Key, Signal


class SwitchOff(Page):
    """What to do, then the seconds that are left while the key is held."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number is large: during the countdown nothing else matters."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("SWITCH OFF"))
        if seconds := session.state.switch_off_in_s:
            layout.hints(t("RELEASE TO CANCEL"))
            layout.stack(layout.free, (Big(t.number(seconds)),))
        else:
            layout.hints(*self.hints(session))
            layout.paragraph(t("HOLD OK UNTIL THE COUNTDOWN ENDS. EVERYTHING IS SAVED."))

    def handle(self, action: Action, table: Table) -> bool:
        """OK, held down, starts the countdown; a code of the same meaning does not: no key is held."""
        if isinstance(action, KeyAction) and action.key is Key.OK and action.down:
            table.begin_switch_off()
            return True
        return super().handle(action, table)

    def keys(self, session: Session) -> Keys:
        """A short press does nothing."""
        hold = KeyUse(lambda at: at.say(say("HOLD OK DOWN")), help=say("SWITCH OFF"))
        return {Held(Key.OK): hold, Key.OK: hold, Key.UNDO: base.UNDO_BACK}


_TWO_LINES_PX: Final = 18


class Erase(Page):
    """Which badge is erased: nothing is done before it was given a second time."""

    badge: int = 0
    matches: int = 0
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("ERASE A PLAYER"), t.digits(f"{1 if self.badge else 0}/2"))
        free, badge = layout.free, self.badge or (0 if self.cursor is None else BADGES[self.cursor])
        if not badge:
            layout.paragraph(t("SCAN THE BADGE"), t("OR UP/DOWN"))
            return
        name = Area(2, free.y_px + 1, free.width_px - 4, 16)
        name_badge(layout, name, session, badge, MAIN_WORDS)
        if self.badge:
            found = t.say(count("IN {count} MATCH", "IN {count} MATCHES", self.matches))
            below, lines = free.below(18), (found, t("TOTALS ARE KEPT"))
            layout.stack(below, lines if below.height_px >= _TWO_LINES_PX else (" - ".join(lines),))

    def keys(self, session: Session) -> Keys:
        if self.badge:
            return {
                Key.OK: KeyUse(partial(self._name, self.badge), say("OK=ERASE")),
                Key.UNDO: KeyUse(base.back, help=say("BACK")),
            }
        moves = cursor_moves(self.cursor, len(BADGES))
        chosen = (lambda _: None) if self.cursor is None else partial(self._name, BADGES[self.cursor])
        return {
            Key.OK: KeyUse(chosen, say("OK=THIS ONE")),
            Key.UNDO: base.UNDO_BACK,
            **{key: KeyUse(self.shows(cursor=cursor), help=MOVES) for key, cursor in moves.items()},
        }

    def hints(self, session: Session) -> tuple[str, ...]:
        again = (session.translate("SCAN AGAIN"),) if self.badge else ()
        return *again, *super().hints(session)

    def take_badge(self, badge: int, table: Table) -> bool:
        """A badge chooses a player; the same once more erases."""
        self._name(badge, table)
        return True

    def _name(self, badge: int, table: Table) -> None:
        if badge != self.badge:
            known = table.session.matches_of(badge)
            table.signal(Signal.ACCEPTED)
            table.show(Erase(badge, known))
            return
        table.session.erase(badge)
        table.home()
        table.set_up(interrupted_setup(table.session))  # who had joined may be erased as well
        table.signal(Signal.ACCEPTED)
        if table.session.names.is_configured(badge):
            table.open(NameStays(table.session.names.of(badge)))
        else:
            table.say(say("BADGE {badge} IS ERASED", badge=badge))


class NameStays(Page):
    """The badge is erased from the journal, but its name is still in the configuration file."""

    KEYS: ClassVar = {Key.OK: base.OK_BACK}
    name: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("ERASED"))
        layout.paragraph(t("{name} is still in the configuration file, under [table] names", name=self.name))


def main_menu(table: Table) -> Menu:
    """What can be done, four things on a page: each of them stands at the same place at any time.

    What cannot be done now says why. Optional parts add theirs at the end.
    """
    session, match = table.session, table.session.match
    deals, no_deal = attrgetter("position.score_sheet.deals"), say("no deal is over yet")
    no_cards = say("no cards are on the table")

    def playing(do: _Do, possible: Callable[[Match], object] = lambda _: True, fault: Text = NOTHING) -> _Do:
        """For a match in play, where that is possible; a `Text` says why it is not."""
        if match is None:
            return NotNow(say("no match is in progress"))
        found = possible(match)
        return NotNow(found) if isinstance(found, Text) else do if found else NotNow(fault)

    check = partial(Table.act, action=ControlCode(Control.AUDIT))  # an optional part may know a quicker way
    off = _opens(SwitchOff()) if table.power else NotNow(say("no power switch here"))
    resume = resume_suspended if session.has_suspended else NotNow(say("no match is suspended"))
    results = show_results if session.has_finished else NotNow(say("no match is finished"))
    items: tuple[Item, ...] = (
        (say("STANDINGS"), playing(_opens(views.Standings()))),
        (say("CHECK THE TABLE"), playing(check, ends_of, no_cards)),
        (say("HISTORY"), playing(open_history, lambda at: at.newest or at.lines, say("nothing played yet"))),
        (say("ALL CARDS"), playing(_opens(views.Rows()), ends_of, no_cards)),
        (say("A CARD WAS WRONG"), playing(_opens(WrongCard()), can_correct, say("no card can be replaced"))),
        (
            say("OWNER OF A CARD"),
            playing(ask_which_owner, cards_without_owner, say("every card has its owner")),
        ),
        (say("CORRECT A SCORE"), playing(correct_score, deals, no_deal)),
        (say("GIVE A PENALTY"), playing(_ask_whose_mistake, _penalty)),
        (say("PLAYERS JOIN/LEAVE"), playing(ask_who_leaves_or_joins, partial(can_change, session))),
        (say("NAMES"), _opens(NameWhom())),
        (say("SWAP TWO OWNERS"), playing(_ask_whom_to_swap, _swaps)),
        (
            say("FORGET THE HANDS"),
            playing(_forget_hands, lambda at: _stands(at, ForgetHands) is True, say("no hand is known")),
        ),
        (say("SUSPEND THE MATCH"), _ask_suspend) if match else (say("RESUME A MATCH"), resume),
        (say("END THIS DEAL"), playing(_end_deal, lambda at: _stands(at, at.game.end_deal))),
        (say("END THE MATCH"), playing(_end_match, lambda at: _stands(at, EndMatch))),
        (say("EARLIER RESULTS"), results),
        (say("SOUND ON") if table.state.muted else say("SOUND OFF"), lambda at: at.toggle_sound()),
        (say("LANGUAGE"), _opens(LanguagePage())),
        (say("DEVICES"), _opens(HelloPage(at_start=False))),
        (say("SWITCH OFF"), off),
        (_other_order(session), playing(_ask_for_order, _all_play, say("players take turns now"))),
        (say("SET UP THE TABLE"), playing(set_up_table, _table)),
        (say("COUNT THE CARDS"), playing(_opens(CardCount()), _counts, say("no cards to count now"))),
        (say("GRAPH"), playing(_opens(Graph()), deals, no_deal)),
        (say("ERASE A PLAYER"), _opens(Erase())),
    )
    others = [row for part in table.extensions for row in part.menu(table)]
    return Menu(say("MENU"), (*items, *others), low=True)


_Do = Callable[[Table], object]


def _opens(page: Page) -> _Do:
    return lambda at: at.open(page)


# ----------------------------------------------------- whether something can be done now, or why it cannot


def _penalty(match: Match) -> bool | Text:
    return _stands(match, lambda: match.game.penalty(match.players[0]))


def _swaps(match: Match) -> bool | Text:
    swaps = [_stands(match, partial(match.game.swap, pair)) for pair in combinations(match.players, 2)]
    return True in swaps or swaps[0]


def _all_play(match: Match) -> bool:
    return any(ask.kind is AskKind.PLAY and ask.wait is Wait.ALL for ask in match.asks)


def _table(match: Match) -> bool | Text:
    try:
        match.game.adopt((), None)
    except CompanionError as bad:
        return bad.fault_text
    return say("the match is over") if match.position.over else True


def _counts(match: Match) -> bool:
    return not match.position.over and bool(match.game.audit(match.position.table).cards_due)


def _stands(match: Match, order: Callable[[], object]) -> bool | Text:
    """Whether a command would be accepted now; `order` makes it, unless the game has none of the kind."""
    try:
        command = order()
        step = match.propose(command) if type(command) in match.commands else None
    except CompanionError as bad:
        return bad.fault_text
    if step is None:
        return say("not in this game")
    return step.fault if isinstance(step, Refused) else True


def _other_order(session: Session) -> Text:
    return say("CARDS IN ANY ORDER") if session.notes.in_seat_order else say("CARDS IN SEAT ORDER")


def _ask_for_order(table: Table) -> None:
    follows = say("THE CARDS OF A TURN ARE SCANNED IN THE ORDER OF THE SEATS.")
    if table.session.notes.in_seat_order:
        follows = say("CARDS ARE SCANNED IN ANY ORDER. YOU SAY WHO PLAYED A LOW CARD.")
    table.open(Confirm(_other_order(table.session), follows, say("YES"), _change_order))


def _change_order(table: Table) -> None:
    """Take the cards of a turn in the other order, where all players play at the same time."""
    table.say(_other_order(table.session))
    table.session.notes.toggle_seat_order()
    table.signal(Signal.ACCEPTED)


def run_control(control: Control, table: Table) -> bool:
    """Do what a code of the control sheet stands for; False where it means nothing now."""
    do = _ALWAYS.get(control)
    if do is None and table.session.match is not None:
        do = _IN_MATCH.get(control)
    if do is None:
        return False
    do(table)
    return True


def _redo(table: Table) -> None:
    result = table.session.redo()
    if isinstance(result, Refused):
        table.explain(result.fault, result.fix, say("REDO"))
    else:
        table.home()
        table.say(redone(result, table.session))


def _check_table(table: Table) -> None:
    if ends_of(table.session.playing):
        table.open(AuditPage())
    else:
        table.decline(say("NO CARDS ON THE TABLE"))


def _end_deal(table: Table) -> None:
    t = table.session.translate
    scored, counted = t("SCORED AS IT STANDS."), t("THE HANDS ARE COUNTED NEXT.")

    def follows(after: Match) -> Text:
        first = counted if any(ask.kind is AskKind.HAND for ask in after.asks) else scored
        return literal(f"{first} {t('YOU CAN UNDO THIS.')}")

    _ask_first(table.session.playing.game.end_deal(), say("END THIS DEAL?"), follows, say("END IT"), table)


def _end_match(table: Table) -> None:
    follows = say("FINISHED DEALS COUNT, THE ONE IN PROGRESS DOES NOT. YOU CAN UNDO THIS.")
    _ask_first(EndMatch(), say("END THE MATCH?"), lambda _: follows, say("END IT"), table, celebrate)


def _ask_first(  # noqa: PLR0913, PLR0917 - all that a question is made of
    command: Any,  # noqa: ANN401 - of any game
    title: Text,
    follows: Callable[[Match], Text],
    word: Text,
    table: Table,
    then: Callable[[Table], None] = lambda _: None,
) -> None:
    """Ask whether a command is meant; `follows` says what follows, given the match as it would be then.

    `then` is done once it was carried out.

    A command that would be refused is refused at once.
    """

    def do(at: Table) -> None:
        if at.propose(command):
            then(at)

    match = table.session.playing
    step = match.propose(command)
    if isinstance(step, Refused):
        table.refuse(step, command)
    else:
        table.open(Confirm(title, follows(match.then(step)), word, do))


def _ask_suspend(table: Table) -> None:
    match = table.session.playing
    follows = say("IT IS SAVED. OK ON THE START PAGE CONTINUES IT.")
    if match.steps == 0:
        follows = say("NO CARD WAS PLAYED, SO NOTHING IS KEPT.")
    elif match.newest is None or match.position.over:
        follows = say("IT STAYS IN THE JOURNAL.")
    table.open(Confirm(say("SUSPEND THE MATCH?"), follows, say("SUSPEND"), suspend_for_now))


def _forget_hands(table: Table) -> None:
    follows = say("NO HAND IS KNOWN ANY MORE IN THIS DEAL. YOU CAN UNDO THIS.")
    forget = in_context("hands", "FORGET")
    _ask_first(ForgetHands(), say("FORGET THE HANDS?"), lambda _: follows, forget, table)


def _ask_whose_mistake(table: Table) -> None:
    table.open(PickPlayers(say("WHOSE MISTAKE?"), _punish, 1))


def _punish(badges: tuple[int, ...], table: Table) -> None:
    if (seat := base.read_badge(badges[0], table)) is not None:
        table.propose(table.session.playing.game.penalty(seat))


def _ask_whom_to_swap(table: Table) -> None:
    table.open(PickPlayers(say("SWAP WHICH TWO?"), _swap, 2))


def _swap(badges: tuple[int, ...], table: Table) -> None:
    """Show what swapping two players' cards would do to their scores; nothing is done yet."""
    match = table.session.playing
    one, other = (table.session.seat(badge) for badge in badges)
    if one is None or other is None:
        table.say(say("NOT IN THIS MATCH"))
        return
    command = match.game.swap((one, other))
    step = match.propose(command)
    if isinstance(step, Refused):
        table.refuse(step, command)
        return
    table.open(SwapPreview(command, (one, other), match.then(step).points))


# --------------------------------------------------------------------------------------------- the usual keys

VIEWS: Final[Mapping[Control, Callable[[], Page]]] = {
    Control.TOTALS: views.Standings,
    Control.ROWS: views.Rows,
}
"""Control codes that open a view on top of any page."""

_VIEW_NAMES: Final = (views.Standings.NAME, views.Rows.NAME)
_OF_A_RESULT: Final = (DealScored, MatchEnded, ScoreCorrected, TieSettled)
"""What ends a step after which the newest reasons are those for a result."""


def usual_keys(table: Table) -> Keys:
    """What keys mean where the page in front makes nothing of them."""
    keys: Keys = {Held(Key.OK): KeyUse(lambda at: at.open(main_menu(at)), help=say("MENU"))}
    if table.session.match is not None:
        keys[Held(Key.UNDO)] = KeyUse(open_history, help=say("HISTORY"))
    if table.pages.opened:
        keys |= dict.fromkeys((Key.OK, Key.UNDO), KeyUse(base.back, help=say("BACK")))
    else:
        keys[Key.UNDO] = KeyUse(lambda at: at.undo(), help=say("TAKE BACK"))
    if table.session.match is not None:
        standings = KeyUse(partial(toggle, views.Standings()), help=say("STANDINGS"))
        rows = KeyUse(partial(toggle, views.Rows()), help=say("ALL CARDS"))
        keys |= dict.fromkeys((Key.LEFT, Key.TURN_LEFT), standings)
        if table.session.match.board.stacks:
            keys |= dict.fromkeys((Key.RIGHT, Key.TURN_RIGHT), rows)
        keys[Key.WHY] = KeyUse(explain, help=say("THE REASON"))
    else:
        keys[Key.WHY] = KeyUse(_open_help, help=say("WHAT THE KEYS DO"))
    return keys


def toggle(view: Page, table: Table) -> None:
    """Open a view, in the place of the other one if that is in front; close it if it is open itself."""
    front = table.front
    if front.NAME == view.NAME:
        table.close()
    elif front.NAME in _VIEW_NAMES:
        table.show(view)
    else:
        table.open(view)


def explain(table: Table) -> None:
    """Show the reasons for the newest turn, or what is asked where there are none.

    Between two deals, and after a match, they are those for the result: who has won, or who starts, and the
    points. Those for the last turn follow.
    """
    match = table.session.playing
    position = match.position
    lines = () if position.over else match.board.newest
    begun = match.newest is not None and not isinstance(match.newest.events[-1], _OF_A_RESULT)
    if not lines and begun and match.asks:
        _open_help(table)
        return
    if not lines:
        because = (*match.why_next, *match.why_scored)
        lines = tuple(PlacedCard("", say("THE RESULT"), reason) for reason in because)
        if position.finished is not None:
            lines += match.game.board(position.finished).newest
    if lines:
        table.open(Why(lines))
    else:
        table.say(say("NOTHING TO EXPLAIN"))


class Help(Message):
    """The open question, how it is answered, and what each key does: on `page` in front, or everywhere."""

    TITLE = say("WHAT NOW?")
    page: AnyPage
    usual: Keys
    covers: bool = False
    """Whether the page lies over the one of the open question."""

    def sentences(self, session: Session) -> tuple[Text, ...]:
        """The question, and a sentence for each thing that keys do, such as `OK: NEXT`."""
        t, match = session.translate, session.match
        ask = match.asks[0] if match is not None and match.asks and not self.covers else None
        now = (ask.says, _how(ask)) if ask is not None else self.page.explains(session)
        uses = sorted({**self.usual, **self.page.keys(session)}.items(), key=_place)
        does = {key: t.say(use.hint).partition("=")[2] or t.say(use.help) for key, use in uses}
        told: dict[str, list[str]] = {}
        for key, says in does.items():
            name = called(key, session)
            held_as_pressed = isinstance(key, Held) and does.get(key.key) == says
            if not held_as_pressed and name not in told.setdefault(says, []):
                told[says].append(name)
        usually = max(told, key=lambda says: len(told[says]))
        if len(told[usually]) > _MANY and does.keys() >= set(base.KEYS):
            del told[usually]
            told[usually] = [t("ANY OTHER KEY") if told else t("ANY KEY")]
        keys = (literal(f"{t.say(COMMA).join(names)}: {says}") for says, names in told.items())
        return *now, *keys

    def keys(self, session: Session) -> Keys:
        return {**super().keys(session), Key.UNDO: base.UNDO_BACK}


def _open_help(table: Table) -> None:
    table.open(Help(table.front, usual_keys(table), bool(table.pages.opened)))


_CURSOR_KEYS: Final = (Key.UP, Key.DOWN, Key.LEFT, Key.RIGHT, Key.TURN_LEFT, Key.TURN_RIGHT)
_MANY: Final = 6
"""So many keys are named where they do the same; of more it is said that any other key does it."""
_IN_ORDER: Final = (*ROW_KEYS, *_CURSOR_KEYS, Key.OK, Key.UNDO, Key.WHY)


def _place(use: tuple[Key | Held, KeyUse]) -> tuple[bool, int]:
    """In which order keys are told: those that are held come last."""
    key = use[0]
    return isinstance(key, Held), _IN_ORDER.index(key.key if isinstance(key, Held) else key)


def called(key: Key | Held, session: Session) -> str:
    """What a key is called, such as R1."""
    t = session.translate
    if isinstance(key, Held):
        return t("HOLD {key}", key=called(key.key, session))
    if key in (Key.TURN_LEFT, Key.TURN_RIGHT):
        return t("KNOB")
    return t.isolated(f"R{ROW_KEYS.index(key) + 1}" if key in ROW_KEYS else key.name)


def _how(ask: Ask) -> Text:
    if ask.kind is AskKind.PLAY and ask.wait is Wait.ALL:
        return say("SCAN EVERY PLAYER'S CARD, IN ANY ORDER. WITHOUT A SCANNER: SET A CARD WITH A ROW KEY.")
    match ask.kind.gives:
        case Gives.CARD:
            return say("SCAN THE CARD. WITHOUT A SCANNER, SET IT WITH THE KEYS.")
        case Gives.PLAYER:
            return say("SCAN THE BADGE OF THE PLAYER, OR PRESS THE KEY BESIDE THE NAME.")
        case Gives.STACK | Gives.WORD:
            return say("PRESS THE KEY WITH THE NUMBER OF YOUR CHOICE.")


_ALWAYS: Final[Mapping[Control, Callable[[Table], object]]] = {
    Control.MUTE: lambda at: at.toggle_sound(),
    Control.ERASE: lambda at: at.open(Erase()),
    Control.LANGUAGE: lambda at: at.open(LanguagePage()),
    Control.HELP: _open_help,
}
"""What codes of the control sheet stand for; those of `_IN_MATCH` only while a match is in play."""

_IN_MATCH: Final[Mapping[Control, Callable[[Table], object]]] = {
    Control.REDO: _redo,
    Control.SWAP: _ask_whom_to_swap,
    Control.ABSENT: ask_who_leaves_or_joins,
    Control.WRONG: lambda at: at.open(WrongCard()),
    Control.AUDIT: _check_table,
    Control.GRAPH: lambda at: at.open(Graph()),
    Control.NEXT: lambda at: at.propose(at.session.playing.game.end_deal()),
    Control.EDIT: correct_score,
}

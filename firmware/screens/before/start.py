"""Before a match: which game, who plays, who begins, and what the game asks about its rules.

Nothing of it is a match yet: the page that is shown holds all of it. Only who has joined is kept in the
journal, so that a power cut costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion import values
from companion.core import games
from companion.core.cards import Seat
from companion.core.codes import BADGES
from companion.core.options import Choice, Question
from companion.match.match import Terms
from companion.text.errors import CompanionError
from companion.text.sentence import BULL, as_it_is
from companion.values import replace
from firmware.display.glyphs import ELLIPSIS, LARGE
from firmware.display.layout import Layout
from firmware.display.plan import for_list
from firmware.screens.before.resume import resume_suspended
from firmware.screens.before.which_game import Wish, choose_game
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.screens.parts.dial import dial_number
from firmware.screens.parts.letters import EnterName
from firmware.screens.parts.player_names import PLAYERS_PER_PAGE, draw_players
from firmware.session.actions import Action, BadgeAction, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_BULL_PX: Final = 98
"""Where the drawing of a bull begins, beside the games."""

_LEARN, _DEMO = "learn", "demo"
"""In the list behind the games: the lesson, and a deal that the box plays alone."""


def interrupted_setup(session: Session) -> Page | None:
    """The set-up page that was open when the device went off, with the players who had joined."""
    game, joining = session.notes.joining()
    return Players(game, joining) if joining else None


class Start(Page):
    """No match is in play, and the device asks which game is played."""

    NAME: ClassVar[str] = "start"
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The games, and what OK and UNDO do."""
        t, layout = session.translate, Layout(canvas, session.plan)
        choices = self._choices(session, session.plan.choices)
        layout.title(t("NIMMT COMPANION"), t.digits(choices.page_number))
        again, suspended = session.notes.group() is not None, session.has_suspended
        if not layout.plan.choices_with_hints:
            hints: tuple[str, ...] = ()
        elif self.cursor is not None:
            hints = (t("OK=THIS GAME"),)
        elif suspended:
            hints = (t("OK=AGAIN") if again else t("SCAN CARD"), t("UNDO=RESUME"))
        elif again:
            hints = (t("SCAN CARD"), t("OK=AGAIN"))
        else:
            hints = (t("OR SCAN A CARD"),)
        layout.hints(*hints)
        others = {_LEARN: t("LEARN IT"), _DEMO: t("WATCH")}
        titles = [others.get(key) or t.title(games.module(key).TITLE) for key in choices.items]
        draw_choices(layout, choices, titles, width_px=_BULL_PX)
        bull_px = 4 if layout.plan.right_to_left else _BULL_PX + 2
        canvas.text(bull_px, 23, BULL, LARGE)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key, the cursor or a card names a game; a badge joins the game that was played last.

        Before the cursor was moved, OK plays again with the same players. UNDO resumes a suspended match.
        """
        last = controller.session.notes.group()
        if isinstance(action, CardAction):
            game = _game_of(action.game)
            same = last is not None and last.game == game
            self._choose(game, last.badges if last and same else (), controller)
            return True
        if isinstance(action, BadgeAction):
            self._choose(last.game if last else games.first(), (action.badge,), controller)
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match self._choices(controller.session, controller.session.plan.choices).key(action):
            case ChosenItem(choice) if choice == _LEARN:
                choose_game(Wish.LEARN, "", controller)
            case ChosenItem(choice) if choice == _DEMO:
                choose_game(Wish.WATCH, "", controller)
            case ChosenItem(game):
                self._choose(game, (), controller)
            case ChoiceList(cursor=cursor):
                controller.set_up(Start(cursor))
            case None if action.key is Key.OK and last is not None:
                begin_match(controller, last)
            case None if action.key is Key.OK:
                controller.set_up(Start(0))
            case None if action.key is Key.UNDO and controller.session.has_suspended:
                resume_suspended(controller)
            case None:
                return False
        return True

    def choose(self, choice: str, controller: Controller) -> bool:
        """A game."""
        if choice not in games.GAMES:
            return False
        self._choose(choice, (), controller)
        return True

    def _choices(self, session: Session, per_page: int) -> ChoiceList[str]:
        demo = (_DEMO,) if session.can_deal else ()
        return ChoiceList((*games.GAMES, _LEARN, *demo), self.cursor, per_page)

    @staticmethod
    def _choose(game: str, badges: tuple[int, ...], controller: Controller) -> None:
        controller.set_up(Players(game, badges))
        controller.signal(Signal.ACCEPTED)


def _game_of(code: str) -> str:
    """The game whose card codes begin with these two characters; the first game for a bare number."""
    known = (key for key in games.GAMES if code and code == games.module(key).CODE)
    return next(known, games.first())


def begin_match(controller: Controller, terms: Terms) -> None:
    """Begin the match; nothing of the set-up is left on the display."""
    controller.session.begin(terms)
    controller.set_up(None)
    controller.home()
    controller.say("")
    controller.signal(Signal.ACCEPTED)


class Players(Page):
    """Who plays: players join by badge, or are counted with keys."""

    NAME: ClassVar[str] = "players"
    game: str
    badges: tuple[int, ...]

    @property
    def joined(self) -> tuple[int, ...]:
        """The badges so far, in the order in which they joined."""
        return self.badges

    def draw(self, canvas: Canvas, session: Session) -> None:
        """As many places as the game has seats, in two columns."""
        t, module, layout = session.translate, games.module(self.game), Layout(canvas, session.plan)
        joined = t("{count} IN", count=len(self.badges))
        # The title of a game may be longer than the bar; the question and the number must stay readable.
        room_px = layout.title_room_px(t("{game} WHO?", game=""), joined)
        name = t.title(module.TITLE)
        game = layout.plan.title[0].fit(name, room_px)
        if 2 * len(game.rstrip(ELLIPSIS)) <= len(name):  # so little of it tells nothing
            game = ""
        layout.title(t("{game} WHO?", game=game).strip(), joined)
        if layout.plan.row_bar or module.SEATS[-1] <= layout.plan.players:
            layout.hints(*self.hints(session))
        places = (*self.badges, *(None,) * (module.SEATS[-1] - len(self.badges)))
        draw_players(layout, session, places)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge joins, or leaves again; R1 or up adds a player, R2 or down removes one."""
        if isinstance(action, BadgeAction):
            if action.badge not in self.badges:
                return self.add(action.badge, controller)
            return self.remove(self.badges.index(action.badge), controller)
        if isinstance(action, CardAction):
            if action.game and action.game != games.module(self.game).CODE:
                controller.set_up(replace(self, game=_game_of(action.game)))
            else:
                controller.say(controller.session.translate("FIRST: WHO PLAYS?"))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in (Key.ROW_1, Key.UP, Key.TURN_RIGHT):
            return self.add(self.free, controller)
        if action.key in (Key.ROW_2, Key.DOWN, Key.TURN_LEFT) or (action.key is Key.UNDO and self.badges):
            return self.remove(len(self.badges) - 1, controller)
        if action.key is Key.UNDO:
            controller.set_up(None)
            return True
        if action.key is Key.OK:
            self._go_on(controller)
            return True
        return False

    @property
    def free(self) -> int | None:
        """The lowest badge of nobody here; None where all have joined."""
        return next((badge for badge in BADGES if badge not in self.badges), None)

    def hints(self, session: Session) -> tuple[str, ...]:
        """What the keys do."""
        t = session.translate
        return t("R1=ONE MORE"), t("OK=READY")

    def add(self, badge: int | None, controller: Controller) -> bool:
        """Let a player join; None: there is no badge for another one."""
        return self.with_badges(self.badges if badge is None else (*self.badges, badge), controller)

    def remove(self, place: int, controller: Controller) -> bool:
        """Let the player at a place, from 0, leave again."""
        return self.with_badges((*self.badges[:place], *self.badges[place + 1 :]), controller)

    def with_badges(self, badges: tuple[int, ...], controller: Controller) -> bool:
        """Show these players, and keep who they are: a power cut before the first card costs nothing."""
        controller.session.notes.remember_joining(self.game, badges)
        controller.set_up(replace(self, badges=badges))
        controller.signal(Signal.ACCEPTED)
        return True

    def terms(self, session: Session) -> Terms:
        """What is settled with these players."""
        return Terms(self.game, len(self.badges), session.options(self.game), badges=self.badges)

    def _go_on(self, controller: Controller) -> None:
        module = games.module(self.game)
        seats = module.SEATS
        if len(self.badges) not in seats:
            controller.signal(Signal.REFUSED)
            controller.say(
                controller.session.translate("{low} TO {high} CAN PLAY", low=seats[0], high=seats[-1])
            )
            return
        terms = self.terms(controller.session)
        if module.STARTER.template:
            controller.set_up(Beginner(terms))
        else:
            ask_next(controller, terms, module.questions(terms.seats))


class Beginner(Page):
    """Who begins, in games where a player does; `terms` is what is settled already."""

    NAME: ClassVar[str] = "beginner"
    terms: Terms
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """All players, one of them lit."""
        t, terms = session.translate, self.terms
        layout = Layout(canvas, for_list(session.plan, terms.seats))
        layout.title(t.say(games.module(terms.game).STARTER))
        layout.hints(t("OK=BEGINS"), t("UNDO=BACK"))
        draw_players(layout, session, terms.badges, (self.cursor,))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge, or OK at the cursor, says who begins; a row key does for the first four."""
        badges = self.terms.badges
        if isinstance(action, BadgeAction):
            if action.badge in badges:
                self._begin(badges.index(action.badge), controller)
            else:
                controller.signal(Signal.REFUSED)
                controller.say(controller.session.translate("BADGE {badge} NOT PLAYING", badge=action.badge))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.UNDO:
            controller.set_up(Players(self.terms.game, badges))
            return True
        match ChoiceList(badges, self.cursor, per_page=PLAYERS_PER_PAGE).key(action):
            case ChosenItem(badge):
                self._begin(badges.index(badge), controller)
            case ChoiceList(cursor=int(cursor)):
                controller.set_up(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _begin(self, place: int, controller: Controller) -> None:
        terms = values.replace(self.terms, first=Seat(place))
        ask_next(controller, terms, games.module(terms.game).questions(terms.seats))


def ask_next(
    controller: Controller,
    terms: Terms,
    questions: tuple[Question, ...],
    at: int = 0,
    before: tuple[Agree, ...] = (),
) -> None:
    """Ask the first question from `at` on that the options so far leave open; begin where there is none.

    `before` are the pages of the questions that were answered, the last one last.
    """
    for number in range(at, len(questions)):
        if questions[number].only.items() <= terms.options.items():
            controller.set_up(Agree(terms, questions, number, before))
            return
    begin_match(controller, terms)


class Agree(Page):
    """One question about the rules at a time, as the game asks them; `at` is its number (0-based)."""

    NAME: ClassVar[str] = "agree"
    terms: Terms
    questions: tuple[Question, ...]
    at: int = 0
    before: tuple[Agree, ...] = ()
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The choices, at first the usual one under the cursor."""
        t, layout = session.translate, Layout(canvas, session.plan)
        choices = self._choices(session)
        layout.title(
            t.say(self.questions[self.at].ask),
            "" if layout.plan.choices_with_hints else t.digits(choices.page_number),
        )
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=CHOOSE"), t.digits(choices.page_number) or t("UNDO=BACK"))
        draw_choices(layout, choices, [t.say(choice.text) for choice in choices.items])
        note = t.say(self.questions[self.at].note)
        if note and len(choices.items) < session.plan.choices:  # the line of the last choice is free
            layout.stack(layout.free.below(layout.plan.choice_pitch_px * len(choices.items) + 2), (note,))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list answers; UNDO goes back to the question before."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.UNDO:
            players = Players(self.terms.game, self.terms.badges)
            controller.set_up(self.before[-1] if self.before else players)
            return True
        match self._choices(controller.session).key(action):
            case ChosenItem(choice):
                self._choose(choice, controller)
            case ChoiceList(cursor=int(cursor)):
                controller.set_up(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, session: Session) -> ChoiceList[Choice]:
        """The choices that go with what was settled before, such as hands that nobody sees."""
        question = self.questions[self.at]
        choices = question.choices
        if question.writes:
            *others, write = choices
            known = [
                Choice(as_it_is(name.upper()), {**write.options, question.writes: name})
                for name in session.notes.game_names
            ]
            choices = (*others, *known, write)
        choices = tuple(choice for choice in choices if self._goes(choice))
        return ChoiceList(choices, self.cursor, session.plan.choices)

    def _goes(self, choice: Choice) -> bool:
        try:
            games.module(self.terms.game).make(self.terms.seats, {**self.terms.options, **choice.options})
        except CompanionError:
            return False
        return True

    def _choose(self, choice: Choice, controller: Controller) -> None:
        question = self.questions[self.at]
        options = {**self.terms.options, **choice.options}
        if question.writes and choice is question.choices[-1]:

            def keep(name: str, at: Controller) -> None:
                at.close()
                self._go_on({**options, question.writes: name} if name else options, at)

            title = controller.session.translate.say(choice.text)
            controller.open(EnterName(title, keep))
            return
        if question.dial is None or choice is not question.choices[-1]:
            self._go_on(options, controller)
            return
        path, low, high, begin = question.dial
        head, _, leaf = path.partition(".")

        def take(number: int, at: Controller) -> None:
            self._go_on({**options, head: {**options[head], leaf: number} if leaf else number}, at)

        title = controller.session.translate.say(choice.text)
        dial_number(controller, title, range(low, high + 1), begin, take)

    def _go_on(self, options: Mapping[str, Any], controller: Controller) -> None:
        terms = values.replace(self.terms, options=options)
        ask_next(controller, terms, self.questions, self.at + 1, (*self.before, self))

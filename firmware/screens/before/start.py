"""Before a match: hello, the language, which game, who plays and begins, and what the game asks of its rules.

Nothing of it is a match yet: the page that is shown holds all of it. Only who has joined is kept in the
journal, so that a power cut costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from companion import values
from companion.core import games
from companion.core.cards import Seat
from companion.core.codes import BADGES, CardCode
from companion.core.options import Choice, Question
from companion.match.match import Terms
from companion.text.errors import CompanionError
from companion.text.sentence import BULL, COMMA, NOTHING, Text, literal, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import ELLIPSIS, LARGE, MEDIUM
from firmware.display.layout import Area, Layout
from firmware.display.plan import LOW_PX, MAIN_WORDS, for_list
from firmware.play.table import Table
from firmware.screens.before.lesson import Wish, choose_game
from firmware.screens.parts.base import KEYS, UNDO_BACK, Keys, KeyUse, Page, back, forward_keys
from firmware.screens.parts.kinds import ChoiceList, ListPage
from firmware.screens.parts.names import PLAYERS_PER_PAGE, EnterName, draw_players
from firmware.screens.parts.numbers import dial_number
from firmware.session.actions import BadgeAction
from firmware.session.matches import SuspendedMatch
from firmware.session.session import Session
from firmware.session.state import DeviceState
from firmware.text.translation import LANGUAGES
from hardware.ports import Key, Signal

_DEVICES: Final[Mapping[str, Text]] = {
    "display": say("DISPLAY"),
    "buttons": say("BUTTONS"),
    "scanner": say("SCANNER"),
    "buzzer": say("BUZZER"),
    "journal": say("JOURNAL"),
}


class HelloPage(Page):
    """Every device in one line; a fault is shown here for as long as it lasts.

    At the start it may lie over a match that was in play when the device went off.
    """

    at_start: bool = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.match, Layout(canvas, session.plan)
        title, aside = t("NIMMT COMPANION"), ""
        if match is not None:
            title = t("SAVED")
            aside = t("DEAL {deal} T{turn}", deal=match.position.deal, turn=match.board.turn)
        layout.frame(title, *self.hints(session), aside=aside, needs_px=3 * layout.plan.pitch_px)
        states = {device: self._state(device, session) for device in _DEVICES}
        shown, room = list(_DEVICES), layout.free.height_px // layout.plan.pitch_px
        if len(shown) > room:  # what does not work comes first
            shown.sort(key=lambda device: states[device] == t("OK"))
        for place, device in enumerate(shown[:room]):
            layout.pair(place, t.say(_DEVICES[device]), states[device])

    def keys(self, session: Session) -> Keys:
        """OK goes on, with the match if there is one; R4 begins another.

        Without a match any other key is meant for the start page: players know that it comes next.
        """
        go_on = KeyUse(back, say("OK=CONTINUE"))
        if session.match is not None:
            return {Key.OK: go_on, **({Key.ROW_4: KeyUse(suspend, _NEW)} if self.at_start else {})}
        others = forward_keys([key for key in KEYS if key is not Key.UNDO], back)
        return {**others, Key.OK: go_on, Key.UNDO: KeyUse(back, help=say("CONTINUE"))}

    @staticmethod
    def _state(device: str, session: Session) -> str:
        match session.device_state(device):
            case DeviceState.FAULT:
                return "!!"
            case DeviceState.NONE:
                return session.translate("NONE")
            case DeviceState.KEYBOARD:
                return session.translate("KEYBOARD")
            case DeviceState.OK:
                return session.translate("OK")


def suspend(table: Table) -> None:
    """Suspend the match, or leave the one that is over: the start page comes next."""
    table.session.suspend()
    table.home()
    table.set_up(None)


def suspend_for_now(table: Table) -> None:
    """Suspend the match, and offer to go on with it as after a power cut."""
    number = table.session.match_id
    suspend(table)
    if (matches := table.session.suspended()) and matches[0].id == number:
        table.set_up(WhichMatch(matches))


_NEW: Final = say("R4=NEW")


class LanguageList(ListPage):
    """The names of the languages, each in its own letters; the cursor begins at the one in use."""

    TITLE = say("LANGUAGE")
    OK_HINT = say("OK=CHOOSE")
    UNDO = UNDO_BACK

    def offers(self, session: Session) -> list[tuple[Text, str]]:
        return [(literal(language.title), name) for name, language in LANGUAGES.items()]

    def choices(self, session: Session) -> ChoiceList[str]:
        at = list(LANGUAGES).index(session.language) if self.cursor is None else self.cursor
        return replace(super().choices(session), cursor=at)


class LanguagePage(LanguageList):
    """The languages. The first page of a device that has to ask."""

    def keys(self, session: Session) -> Keys:
        """The keys of the list; where the device has to ask, there is no way back."""
        keys = super().keys(session)
        if session.asks_language:
            del keys[Key.UNDO]
        return keys

    def chosen(self, item: str, table: Table) -> None:
        table.session.use_language(item)
        table.home()  # some pages, such as a list of matches, keep words of the language before
        table.say(literal(LANGUAGES[item].title))

    def take_card(self, action: CardCode, table: Table) -> bool:
        """A card on the first page of all keeps the language, and is not lost."""
        return self._keeps(action, table)

    def take_badge(self, badge: int, table: Table) -> bool:
        return self._keeps(BadgeAction(badge), table)

    def _keeps(self, action: CardCode | BadgeAction, table: Table) -> bool:
        session = table.session
        if session.asks_language:
            session.use_language(session.language)
            table.act(action)
            return True
        return False


def resume_suspended(table: Table) -> None:
    """Show the suspended matches, the newest first: OK goes on with it."""
    if matches := table.session.suspended():
        table.set_up(WhichMatch(matches))
        table.home()
    else:
        table.say(say("NO SUSPENDED MATCH"))


def _draw_match(layout: Layout, session: Session, match: SuspendedMatch) -> None:
    """The game and its deal, and who plays it."""
    t, plan = session.translate, layout.plan
    layout.pair(0, t.title(match.title).upper(), t("DEAL {deal}", deal=match.deal))
    free = layout.free.below(plan.pitch_px + plan.below_bar_px)
    names = Area(2, free.y_px, free.width_px - 4, free.height_px)
    comma, font, badges = t.say(COMMA), plan.detail[-1], [badge for badge in match.badges if badge]
    known = comma.join(t.isolated(session.names.of(badge)) for badge in badges)
    if names.height_px >= 2 * plan.pitch_px:
        layout.words(names, known, (*MAIN_WORDS, MEDIUM, *plan.detail))
        return
    if font.width_px(known) > names.width_px:  # an equal part for each, in the one line that there is
        each_px = names.width_px // len(badges) - font.width_px(comma)
        known = comma.join(t.isolated(session.names.fitting(badge, each_px, font)) for badge in badges)
    layout.main(names, known, (*MAIN_WORDS, *plan.detail))


class WhichMatch(ListPage):
    """The suspended matches, one on each page, the newest first: two of one evening look much alike.

    A card or a badge is for another match, as on the start page.
    """

    BEGINS_AT = 0
    OK_HINT = say("OK=CONTINUE")
    matches: tuple[SuspendedMatch, ...]

    def offers(self, session: Session) -> list[tuple[Text, SuspendedMatch]]:
        return [(literal(match.title), match) for match in self.matches]

    def choices(self, session: Session) -> ChoiceList[SuspendedMatch]:
        return replace(super().choices(session), per_page=1)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, choices = session.translate, self.choices(session)
        match = choices.items[choices.first]
        number = t.digits(choices.page_number)
        title, aside = (match.at or t("WHICH MATCH?"), number) if number else (t("SUSPENDED"), match.at)
        layout = self.framed(canvas, session, title, aside)
        _draw_match(layout, session, match)

    def keys(self, session: Session) -> Keys:
        """OK goes on with the match that is shown; R4 begins another."""
        return {**super().keys(session), Key.ROW_4: KeyUse(lambda at: at.set_up(None), _NEW)}

    def moved(self, cursor: int, table: Table) -> None:
        table.set_up(replace(self, cursor=cursor))

    def chosen(self, item: SuspendedMatch, table: Table) -> None:
        table.session.resume_match(item.id)
        table.set_up(None)
        table.signal(Signal.ACCEPTED)

    def take_card(self, action: CardCode, table: Table) -> bool:
        return Start().take_card(action, table)

    def take_badge(self, badge: int, table: Table) -> bool:
        return Start().take_badge(badge, table)


_BULL_PX: Final = 98
"""Where the drawing of a bull begins, beside the games."""

_LEARN, _DEMO = "learn", "demo"
"""In the list behind the games: the lesson, and a deal that the box plays alone."""


def interrupted_setup(session: Session) -> Page | None:
    """The set-up page that was open when the device went off, or the matches that were suspended.

    Of a match without a card it is the page to which UNDO leads back.
    """
    (game, joining), match = session.notes.joining(), session.match
    if match is not None:
        unplayed = match.newest is None and not session.has_result_before
        return PlayersPage(match.terms.game, match.terms.badges) if unplayed else None
    matches = () if joining else session.suspended()
    if joining or not matches:
        return PlayersPage(game, joining) if joining else None
    return WhichMatch(matches)


class Start(ListPage):
    """No match is in play, and the device asks which game is played."""

    TITLE = say("NIMMT COMPANION")
    OK_HINT = say("OK=THIS GAME")

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout = self.draw_list(canvas, session, width_px=_BULL_PX)
        bull_px = 4 if layout.plan.right_to_left else _BULL_PX + 2
        canvas.text(bull_px, 23, BULL, LARGE)

    def offers(self, session: Session) -> list[tuple[Text, str]]:
        t = session.translate
        titles = [(literal(t.title(games.module(game).TITLE)), game) for game in games.GAMES]
        demo = [(say("WATCH"), _DEMO)] if session.can_deal else []
        return [*titles, (say("LEARN IT"), _LEARN), *demo]

    def keys(self, session: Session) -> Keys:
        """The keys of the list. Before the cursor was moved, OK goes on with a suspended match.

        Without one it plays again with the same players.
        """
        last, keys = session.notes.group(), super().keys(session)
        if self.cursor is None and session.has_suspended:
            keys[Key.OK] = KeyUse(resume_suspended, say("OK=CONTINUE"))
        elif self.cursor is None and last is not None:
            keys[Key.OK] = KeyUse(lambda at: begin_match(at, last), say("OK=AGAIN"))
        return keys

    def hints(self, session: Session) -> tuple[str, ...]:
        """The keys, and that a card may be scanned where there is room for that."""
        t, hints = session.translate, super().hints(session)
        if self.cursor is not None:
            return hints[:1]
        return (t("SCAN CARD"), *hints) if hints else (t("SCANNER OR KEYS"),)

    def moved(self, cursor: int, table: Table) -> None:
        """The start page lies beneath all others."""
        table.set_up(Start(cursor=cursor))

    def chosen(self, item: str, table: Table) -> None:
        """Ask who plays, or go to the lesson or the demo."""
        if item == _LEARN:
            choose_game(Wish.LEARN, "", table)
        elif item == _DEMO:
            choose_game(Wish.WATCH, "", table)
        else:
            # Where OK goes on with another match, who played this game last is in already.
            self._choose(item, table, *(_last_group(item, table) if table.session.has_suspended else ()))

    def take_card(self, action: CardCode, table: Table) -> bool:
        game = _game_of(action.game)
        self._choose(game, table, *_last_group(game, table))
        return True

    def take_badge(self, badge: int, table: Table) -> bool:
        """A badge joins the game that was played last."""
        last = table.session.notes.group()
        self._choose(last.game if last else games.first(), table, badge)
        return True

    def explains(self, session: Session) -> tuple[Text, ...]:
        return (say("CHOOSE A GAME. BADGES AND A SCANNER ARE NOT NEEDED: KEYS DO EVERYTHING."),)

    def choose(self, choice: str, table: Table) -> bool:
        if choice not in games.GAMES:
            return False
        self._choose(choice, table)
        return True

    @staticmethod
    def _choose(game: str, table: Table, *badges: int) -> None:
        table.set_up(PlayersPage(game, badges))
        table.signal(Signal.ACCEPTED)


def _last_group(game: str, table: Table) -> tuple[int, ...]:
    """The badges of who played last, if it was this game."""
    last = table.session.notes.group()
    return last.badges if last is not None and last.game == game else ()


def _game_of(code: str) -> str:
    """The game whose card codes begin with these two characters; the first game for a bare number."""
    known = (key for key in games.GAMES if code and code == games.module(key).CODE)
    return next(known, games.first())


def begin_match(table: Table, terms: Terms) -> None:
    """Begin the match. Before its first card UNDO leads back to the page on which that was agreed."""
    table.session.begin(terms)
    table.home()
    table.say(NOTHING)
    table.signal(Signal.ACCEPTED)


_SHORT_NAME: Final = 8


class PlayersPage(Page):
    """Who plays: players join by badge, or are counted with keys. `again` is a badge that was in already."""

    game: str
    badges: tuple[int, ...]
    again: int | None = None

    @property
    def joined(self) -> tuple[int, ...]:
        """The badges so far, in the order in which they joined."""
        return self.badges

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, module, layout = session.translate, games.module(self.game), Layout(canvas, session.plan)
        joined = t.digits(f"{len(self.badges)}/{module.SEATS[-1]}")
        # The title of a game may be longer than the bar; the question and the number must stay readable.
        room_px = layout.title_room_px(t("{game} WHO?", game=""), joined)
        name = t.title(module.TITLE)
        game = layout.plan.title[0].fit(name, room_px)
        if 2 * len(game.rstrip(ELLIPSIS)) <= len(name):  # so little of it tells nothing
            game = ""
        ready = "OK" if self.hint(Key.OK, session) else ""
        title = t("{game} WHO?", game=game) if game else t("WHO?")
        needs_px = -(-len(self.badges) // 2) * LOW_PX
        layout.frame(title, *self.hints(session), aside=joined, key=ready, needs_px=needs_px)
        lit = () if self.again is None else (self.badges.index(self.again),)
        used_px = draw_players(layout, session, self.badges, lit, self.called(session))
        if len(self.badges) < module.SEATS[-1]:
            self._draw_how(layout, session, layout.free.below(used_px + layout.plan.pitch_px // 5))

    def called(self, session: Session) -> Mapping[int, str]:
        """What stands beside a badge in place of the name of its player."""
        return {}

    @staticmethod
    def _draw_how(layout: Layout, session: Session, area: Area) -> None:
        """How somebody joins, with a badge and without, as far as there is room for it."""
        t, fonts = session.translate, layout.plan.detail
        both = (t("SCAN YOUR BADGE"), t("NO BADGE? R1=ONE MORE"))
        line_px = max(layout.height_px(words, fonts[-1]) for words in both) + 1
        if area.height_px >= len(both) * line_px:
            layout.stack(area, both)
        elif area.height_px >= line_px:
            layout.stack(area, (t("BADGE, OR R1=ONE MORE"),))

    def keys(self, session: Session) -> Keys:
        place = len(self.badges) - 1 if self.again is None else self.badges.index(self.again)
        more = KeyUse(partial(self.add, self.free), say("R1=ONE MORE"))
        less = KeyUse(partial(self.remove, place), help=say("ONE LESS"))
        if self.again is not None:
            less = less._replace(hint=say("R2={name} OUT", name=session.names.short(self.again, _SHORT_NAME)))
        leave: KeyUse = less if self.badges else KeyUse(lambda at: at.set_up(None), help=say("BACK"))
        return {
            **dict.fromkeys((Key.ROW_1, Key.UP, Key.TURN_RIGHT), more),
            Key.ROW_2: less,
            **dict.fromkeys((Key.DOWN, Key.TURN_LEFT), less._replace(hint=NOTHING)),
            Key.OK: KeyUse(self._go_on, say("OK=READY")),
            Key.UNDO: leave._replace(hint=NOTHING),
        }

    def explains(self, session: Session) -> tuple[Text, ...]:
        return (say("EACH PLAYER SCANS A BADGE. WITHOUT BADGES, R1 ADDS A PLAYER."),)

    def take_badge(self, badge: int, table: Table) -> bool:
        """A badge joins. One that is in already stays; R2 takes its player out then."""
        if badge not in self.badges:
            self.add(badge, table)
            return True
        name = table.session.names.short(badge, _SHORT_NAME)
        table.set_up(replace(self, again=badge))
        table.signal(Signal.DUPLICATE)
        table.say(say("{name} IS ALREADY IN", name=name))
        return True

    def take_card(self, action: CardCode, table: Table) -> bool:
        """A card of another game changes the game."""
        if action.game and action.game != games.module(self.game).CODE:
            table.set_up(replace(self, game=_game_of(action.game)))
        else:
            table.say(say("FIRST: WHO PLAYS?"))
        return True

    @property
    def free(self) -> int | None:
        """The lowest badge of nobody here; None where all have joined."""
        return next((badge for badge in BADGES if badge not in self.badges), None)

    def add(self, badge: int | None, table: Table) -> None:
        """Let a player join, unless no more can play; None: there is no badge for another one."""
        if badge is None or len(self.badges) >= games.module(self.game).SEATS[-1]:
            self.decline_number(table)
        else:
            self.with_badges((*self.badges, badge), table)

    def decline_number(self, table: Table) -> None:
        """Say how many can play."""
        seats = games.module(self.game).SEATS
        table.decline(say("{low} TO {high} CAN PLAY", low=seats[0], high=seats[-1]))

    def remove(self, place: int, table: Table) -> None:
        """Let the player at a place, from 0, leave again, and say who it was."""
        if not self.badges:
            return
        name = table.session.names.short(self.badges[place], _SHORT_NAME)
        self.with_badges((*self.badges[:place], *self.badges[place + 1 :]), table)
        table.say(say("{name} IS OUT", name=name))

    def with_badges(self, badges: tuple[int, ...], table: Table) -> None:
        """Show these players, and keep who they are: a power cut before the first card costs nothing."""
        table.session.notes.remember_joining(self.game, badges)
        table.set_up(replace(self, badges=badges, again=None))
        table.signal(Signal.ACCEPTED)

    def terms(self, session: Session) -> Terms:
        """What is settled with these players."""
        return Terms(self.game, len(self.badges), session.options(self.game), badges=self.badges)

    def _go_on(self, table: Table) -> None:
        module = games.module(self.game)
        seats = module.SEATS
        if len(self.badges) not in seats:
            self.decline_number(table)
            return
        terms = self.terms(table.session)
        if module.STARTER.template:
            table.set_up(Beginner(terms))
        else:
            ask_next(table, terms, module.questions(terms.seats))


class Beginner(ListPage):
    """Who begins, in games where a player does; `terms` is what is settled already."""

    terms: Terms

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, terms = session.translate, self.terms
        plan = for_list(session.plan, terms.seats)
        layout = self.framed(canvas, session, t.say(games.module(terms.game).STARTER), plan=plan)
        draw_players(layout, session, terms.badges, (self.cursor or 0,))

    def keys(self, session: Session) -> Keys:
        badges = self.terms.badges
        places = ChoiceList(tuple(range(len(badges))), self.cursor or 0, per_page=PLAYERS_PER_PAGE)
        keys = places.keys(self._begin, self.moved, say("OK=STARTS"))
        players = PlayersPage(self.terms.game, badges)
        return {**keys, Key.UNDO: KeyUse(lambda at: at.set_up(players), say("UNDO=BACK"))}

    def take_badge(self, badge: int, table: Table) -> bool:
        if badge in self.terms.badges:
            self._begin(self.terms.badges.index(badge), table)
        else:
            table.decline(say("BADGE {badge} NOT PLAYING", badge=badge))
        return True

    def moved(self, cursor: int, table: Table) -> None:
        table.set_up(replace(self, cursor=cursor))

    def _begin(self, place: int, table: Table) -> None:
        terms = values.replace(self.terms, first=Seat(place))
        ask_next(table, terms, games.module(terms.game).questions(terms.seats), before=(self,))


def ask_next(
    table: Table, terms: Terms, questions: tuple[Question, ...], at: int = 0, before: tuple[Page, ...] = ()
) -> None:
    """Ask the first question from `at` on that the options so far leave open; begin where there is none.

    `before` are the pages on which the rest was settled, the last one last.
    """
    for number in range(at, len(questions)):
        if questions[number].only.items() <= terms.options.items():
            table.set_up(Agree(terms, questions, number, before))
            return
    begin_match(table, terms)


class Agree(ListPage):
    """One question about the rules at a time, as the game asks them; `at` is its number (0-based)."""

    BEGINS_AT = 0
    OK_HINT = say("OK=CHOOSE")
    terms: Terms
    questions: tuple[Question, ...]
    at: int = 0
    before: tuple[Page, ...] = ()

    def heading(self, session: Session) -> str:
        return session.translate.say(self.questions[self.at].ask)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, self.draw_list(canvas, session)
        choices = self.choices(session)
        note = t.say(self.questions[self.at].note)
        if note and len(choices.items) < session.plan.choices:  # the line of the last choice is free
            above_px = layout.plan.choice_top_px + layout.plan.choice_pitch_px * len(choices.items)
            layout.stack(layout.free.below(above_px - layout.free.y_px + 1), (note,))

    def keys(self, session: Session) -> Keys:
        before = self.before[-1] if self.before else PlayersPage(self.terms.game, self.terms.badges)
        undo = KeyUse(lambda at: at.set_up(before), say("UNDO=BACK"))
        return {**super().keys(session), Key.UNDO: undo}

    def offers(self, session: Session) -> list[tuple[Text, Choice]]:
        """The choices that go with what was settled before, such as hands that nobody sees."""
        question = self.questions[self.at]
        choices = question.choices
        if question.writes:
            first, *others, write = choices
            agreed = self.terms.options.get(question.writes)  # by the configuration
            names = dict.fromkeys(([agreed] if agreed else []) + list(session.notes.game_names))
            known = [
                Choice(literal(name.upper()), {**write.options, question.writes: name}) for name in names
            ]
            there = {name.casefold() for name in names}
            others = [one for one in others if str(one.options.get(question.writes)).casefold() not in there]
            choices = (*known[: bool(agreed)], first, *known[bool(agreed) :], *others, write)
        return [(choice.text, choice) for choice in choices if self._goes(choice)]

    def explains(self, session: Session) -> tuple[Text, ...]:
        question = self.questions[self.at]
        return (question.ask, question.why) if question.why.template else (question.ask, question.note)

    def _goes(self, choice: Choice) -> bool:
        try:
            games.module(self.terms.game).make(self.terms.seats, {**self.terms.options, **choice.options})
        except CompanionError:
            return False
        return True

    def moved(self, cursor: int, table: Table) -> None:
        table.set_up(replace(self, cursor=cursor))

    def chosen(self, item: Choice, table: Table) -> None:
        """Go on with it; a name that is written or a number that is set is asked for first."""
        question = self.questions[self.at]
        options = {**self.terms.options, **item.options}
        if item is not question.choices[-1] or not (question.writes or question.dial):
            self._go_on(options, table)
        elif question.writes:

            def keep(name: str, at: Table) -> None:
                at.close()
                self._go_on({**options, question.writes: name} if name else options, at)

            table.open(EnterName(item.text, keep))
        elif question.dial is not None:
            path, low, high, begin = question.dial
            head, _, leaf = path.partition(".")

            def take(number: int, at: Table) -> None:
                self._go_on({**options, head: {**options[head], leaf: number} if leaf else number}, at)

            dial_number(table, item.text, range(low, high + 1), begin, take)

    def _go_on(self, options: Mapping[str, Any], table: Table) -> None:
        terms = values.replace(self.terms, options=options)
        ask_next(table, terms, self.questions, self.at + 1, (*self.before, self))

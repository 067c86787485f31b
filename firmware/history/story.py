"""What happened in a match, by deals and turns: who played and took what, and why.

It is made from the newest turn of each board (`Board.newest`), so it is the same for every
game. What was undone is left out, and a corrected turn appears as it was in the end.
`in_lines` prints it for a terminal: where the cards went, then who took what, and why. `report` prints it as
HTML.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from companion.core.ask import AskKind, Wait
from companion.core.board import Board, PlacedCard
from companion.core.cards import Seat
from companion.core.ruling import Reason
from companion.core.score_sheet import DealScored
from companion.match.commands import DealReopened, MatchEnded, ScoreCorrected, TieSettled
from companion.match.match import Match, Step
from companion.text.sentence import COMMA, SIGNS, count, say
from companion.values import Value, field, replace
from firmware.history.played_match import PlayedDeal, PlayedMatch
from firmware.history.players import Person
from firmware.history.stored_time import shown
from firmware.text.columns import left, right, wrapped
from firmware.text.translation import Translator

_REOPENED: Final = "_reopened"
"""The suffix of events that reopen the newest turn, so that it can be corrected."""


class StoryCard(Value):
    """A played card: where it went, and who took what with it for how many points.

    `to` is where it went, in words; empty if `why` already says it.
    """

    name: str
    to: str
    why: str
    taker: Person | None = None
    points: int = 0


class StoryTurn(Value):
    """Cards that belong together; turns count from 1. `who` played them; empty where all played at once."""

    number: int
    who: str
    cards: tuple[StoryCard, ...]

    @property
    def together(self) -> bool:
        """Whether it is said first where all cards went."""
        return any(card.to for card in self.cards)

    @property
    def reasons(self) -> Iterator[tuple[str, StoryCard]]:
        """Whose card or gain it is, if its reason does not begin so, of each card with a reason to tell."""
        for card in self.cards:
            if card.taker is not None or not self.together:
                who = self.who if card.taker is None else card.taker.name
                yield ("" if card.why.lstrip("\u2068").startswith(who) else who), card


class Chapter(Value):
    """A deal. `begins` are the first cards on the table; `ended` is None while it is not finished.

    A part that is a text is beside the play: a score that was typed or corrected, a player who left.
    `outcome` says why the match was over and who won, or who started the next deal, as it was decided then.
    """

    number: int
    begins: tuple[str, ...]
    parts: tuple[StoryTurn | str, ...]
    ended: PlayedDeal | None
    outcome: tuple[str, ...] = ()


class Story(Value):
    """A whole match; `after` are the notes after its last deal."""

    chapters: tuple[Chapter, ...]
    after: tuple[str, ...]


class _ChapterDraft(Struct):
    number: int
    begins: list[str] = field(default_factory=list)
    picks: dict[str, list[str]] = field(default_factory=dict)
    parts: list[StoryTurn | str] = field(default_factory=list)
    lines: tuple[PlacedCard, ...] = ()
    """The lines of the newest turn, from the board."""
    outcome: tuple[str, ...] = ()


def story_of(past: PlayedMatch, translate: Translator, deal: int | None = None) -> Story:
    """The story, with the names of the players; of one deal, if one is given.

    A sentence stored without its facts stays English.
    """
    builder = _StoryBuilder(past, translate)
    for before, step, after in past.match.live_steps():
        if deal is None or _deal_of(before, step) == deal:
            builder.add(before, step, after)
    return builder.build()


def _deal_of(before: Match, step: Step) -> int:
    """The deal that a step belongs to: the one before, where that is reopened to correct its last turn."""
    reopened = (event.deal for event in step.events if isinstance(event, DealReopened))
    return next(reopened, before.position.deal)


class _StoryBuilder:
    def __init__(self, past: PlayedMatch, translate: Translator) -> None:
        self._past = past
        self._translate = t = translate.calling([person.name for person in past.people])
        # No character of the display is printed: heads are numbers, and what follows a symbol is its colour.
        t.signs = {ord(sign.character): f"{t.say(sign.word)} " if sign.letter else "" for sign in SIGNS}
        self._pages: list[_ChapterDraft] = []
        self._after: list[str] = []

    def build(self) -> Story:
        done = {deal.number: deal for deal in self._past.deals}
        chapters = [
            Chapter(page.number, tuple(page.begins), self._parts(page), done.get(page.number), page.outcome)
            for page in self._pages
        ]
        return Story(tuple(chapters), tuple(self._after))

    def _parts(self, page: _ChapterDraft) -> tuple[StoryTurn | str, ...]:
        """The parts with their numbers; consecutive steps of one player are one turn."""
        parts: list[StoryTurn | str] = [
            self._translate("{name} picked {cards}", name=name, cards=tuple(cards))
            for name, cards in page.picks.items()
        ]
        number = 0
        for part in page.parts:
            last = parts[-1] if parts else None
            if isinstance(part, str):
                parts.append(part)
            elif isinstance(last, StoryTurn) and part.who == last.who != "":
                parts[-1] = replace(last, cards=(*last.cards, *part.cards))
            else:
                number += 1
                parts.append(replace(part, number=number))
        return tuple(parts)

    def add(self, before: Match, step: Step, after: Match) -> None:
        if any(isinstance(event, ScoreCorrected | MatchEnded | TieSettled) for event in step.events):
            self._remark(step.because, over=before.position.over)
            return
        deal = _deal_of(before, step)
        if not self._pages or self._pages[-1].number != deal:
            self._pages.append(_ChapterDraft(deal))
        page = self._pages[-1]
        if any(event.KIND.endswith(_REOPENED) for event in step.events):
            self._drop(page)
        scored = any(isinstance(event, DealScored) for event in step.events)
        table = after.position.finished if scored else after.position.table
        because = step.because
        if scored:
            page.outcome = tuple(self._translate.say(reason.says) for reason in after.why_next)
            # Points and outcome have lines of their own.
            ended = [Reason(reason.rule.key, reason.says) for reason in (*after.why_scored, *after.why_next)]
            because = tuple(reason for reason in because if reason not in ended)
        board = after.game.board(table)
        points = after.game.points(table)
        if self._turn(page, board, points, self._who(before, step)):
            return
        card = str(getattr(step.command, "card", ""))
        kind = before.asks[0].kind if before.asks else None
        if card and kind is AskKind.LAY and not step.because:
            page.begins.append(card)
        elif card and kind is AskKind.PICK:
            name = self._past.people[step.command.seat].name
            page.picks.setdefault(name, []).append(card)
        elif kind is not AskKind.CHOOSE:  # a choice is told by its turn, once the card is placed
            self._remark(because, over=False)

    def _turn(self, page: _ChapterDraft, board: Board, points: tuple[int, ...], who: str) -> bool:
        """Add the newest turn of the board; False if it is not new."""
        lines, known = board.newest, page.lines
        page.lines = lines
        if not lines or lines == known:
            return False
        same_cards = [line.card for line in lines] == [line.card for line in known]
        again = known and (lines[: len(known)] == known or (board.revealed and same_cards))
        cards = tuple(self._card(line, points, together=board.revealed) for line in lines)
        turn = StoryTurn(0, "" if board.revealed else who, cards)
        if again:
            place = max(index for index, part in enumerate(page.parts) if isinstance(part, StoryTurn))
            page.parts[place] = replace(turn, who=getattr(page.parts[place], "who", who))
        else:
            page.parts.append(turn)
        return True

    @staticmethod
    def _drop(page: _ChapterDraft) -> None:
        places = [index for index, part in enumerate(page.parts) if isinstance(part, StoryTurn)]
        if places and page.lines:
            del page.parts[places[-1]]
        page.lines = ()

    def _who(self, before: Match, step: Step) -> str:
        seat, card = getattr(step.command, "seat", None), getattr(step.command, "card", None)
        if seat is None and card is not None:  # the card itself may have told whose it is
            of_card = (event for event in step.events if getattr(event, "card", None) == card)
            seat = next((getattr(event, "seat", None) for event in of_card), None)
        if seat is None and before.asks and before.asks[0].wait is Wait.ONE:
            seat = before.asks[0].seats[0]
        return "" if seat is None else self._past.people[Seat(seat)].name

    def _card(self, line: PlacedCard, points: tuple[int, ...], *, together: bool) -> StoryCard:
        # Where the cards of a hand are counted at the end, what is taken costs nothing yet.
        costs = line.taker is not None and points[line.taker] >= line.heads
        return StoryCard(
            line.card.partition("#")[0],
            self._translate.in_a_sentence(self._translate.say(line.outcome)) if together else "",
            self._translate.say(line.because.says),
            None if line.taker is None else self._past.people[line.taker],
            line.heads if costs else 0,
        )

    def _remark(self, because: Iterable[Reason], *, over: bool) -> None:
        remarks = [self._translate.say(says) for _, says in because]
        if over or not self._pages:
            self._after.extend(remarks)
        else:
            self._pages[-1].parts.extend(remarks)


WIDTH: Final = 100
"""Columns, where the width of the terminal is unknown."""
_MARGIN: Final = 7
_COLUMNS: Final = 10
"""What a name with points takes, and a longer one more."""
_ASIDE: Final = "    -  "


def headline(past: PlayedMatch, translate: Translator) -> str:
    """Match, game, date, duration, and the end rule."""
    when = shown(past.begun, translate) if past.begun else say("at an unknown time")
    lasted = () if past.minutes is None else (say("{minutes} min", minutes=past.minutes),)
    title = translate.isolated(translate.title(past.match.title))
    return translate("match {id}: {facts}", id=past.id, facts=(title, when, *lasted, past.length))


def outcome(past: PlayedMatch, translate: Translator) -> str:
    """The winners with their points, or how many deals were played."""
    if not past.winners:
        played = count(
            "not finished, {count} deal played", "not finished, {count} deals played", len(past.deals)
        )
        return translate.say(played)
    *others, last = (translate.isolated(person.name) for person in past.winners)
    total = past.match.places[0].total
    if not others:
        return translate("won by {name} with {total}", name=last, total=total)
    return translate("won by {names} and {name} with {total}", names=tuple(others), name=last, total=total)


def in_lines(past: PlayedMatch, story: Story, translate: Translator, width: int = WIDTH) -> Iterator[str]:
    """The whole story, wrapped to this many columns."""
    yield headline(past, translate)
    for chapter in story.chapters:
        yield ""
        yield from _chapter(past, chapter, translate, width)
    if story.after:
        yield ""
        yield translate("After the last deal")
        for remark in story.after:
            yield from wrapped(remark, width, _ASIDE)
    yield ""
    yield outcome(past, translate)
    for place in past.match.places:
        rank, total = translate.number(place.rank), translate.number(place.total)
        yield f"  {rank}. {left(past.names(place.seats), 24)} {right(total, 4)}"


def _chapter(past: PlayedMatch, chapter: Chapter, translate: Translator, width: int) -> Iterator[str]:
    begins = translate(", started with {cards}", cards=" ".join(chapter.begins)) if chapter.begins else ""
    yield translate("Deal {deal}", deal=chapter.number) + begins
    for part in chapter.parts:
        if isinstance(part, StoryTurn):
            yield from _turn(part, translate, width)
        else:
            yield from wrapped(part, width, _ASIDE)
    if chapter.ended is None:
        yield _ASIDE + translate("not played to the end")
    else:
        yield from wrapped(points(past, chapter.ended, translate), width, "    =  ")
    for remark in chapter.outcome:
        yield from wrapped(remark, width, _ASIDE)


def points(past: PlayedMatch, deal: PlayedDeal, translate: Translator) -> str:
    """The points of all players in a deal, with the new total in brackets."""
    number, isolated = translate.number, translate.isolated
    return translate.say(COMMA).join(
        f"{isolated(past.people[seat].name)} {number(deal.points[seat])} ({number(deal.totals[seat])})"
        for seat in deal.players
    )


def _turn(turn: StoryTurn, translate: Translator, width: int) -> Iterator[str]:
    lead = f"  {right(translate.number(turn.number), 3)}  "
    if turn.together:
        cards = translate.say(COMMA).join(f"{card.name} {card.to}" for card in turn.cards)
        yield from wrapped(cards, width, lead)
        lead = " " * _MARGIN
    last = ""
    for name, card in turn.reasons:
        who = translate.isolated(name)
        gain = translate("{who} +{points}", who=who, points=card.points).strip() if card.points else who
        first = gain if gain != last else ""
        yield from wrapped(card.why, width, f"{lead}{left(first, _COLUMNS)} ")
        lead, last = " " * _MARGIN, gain

"""`nimmt review`: what a hard robot would have played, where the hand of a player is known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.match.match import Match
from companion.text.errors import CompanionError
from companion.text.sentence import Decimals, count, say
from firmware.commands.declared import about_records, flag
from firmware.commands.records import CHOSEN, chosen, opened
from firmware.history.csv_export import columns, cut, left, right

if TYPE_CHECKING:
    import argparse

    from companion.robots.coach import PlayAdvice
    from firmware.history.played_match import PlayedMatch
    from firmware.history.players import Person
    from firmware.text.translation import Translator


def run(args: argparse.Namespace) -> int:
    """Print the costliest plays and all others, or that no hand is known. Raises `CompanionError`."""
    with opened(args) as stored:
        past = stored.past(chosen(stored, args.match))
    found = list(advice_for(past.match))
    if args.json:
        print(json.dumps([*map(_record, found)], indent=2))
        return 0
    if not found:
        t = stored.translate
        print(t("no hand of match {match} is known", match=past.id))
        print("  " + t("the coach needs the open draft of 6 nimmt!, hands that were scanned, or robots"))
        return 0
    for line in in_lines(past.said_in(stored.translate), found, stored.translate):
        print(line)
    return 0


def advice_for(match: Match) -> Iterator[PlayAdvice]:
    """What the coach says of every card and row chosen in a finished deal that it can judge, in order.

    Raises `CompanionError` where there is something to judge and numpy is missing.
    """
    from companion.robots import coach

    yield from map(coach.judge, coach.plays(match))


def _record(one: PlayAdvice) -> dict[str, object]:
    """What the coach says of a play for other programs; all numbers count from 1."""
    play = one.play
    return {
        "deal": play.deal,
        "turn": play.turn,
        "seat": play.seat + 1,
        "card": str(play.card),
        "better": str(one.better),
        "row": _from_1(play.row),
        "better_row": _from_1(one.better_row),
        "expected": round(one.expected, 2),
        "expected_better": round(one.expected_better, 2),
        "took": play.heads,
        "certain": one.certain,
    }


def _from_1(row: int | None) -> int | None:
    return None if row is None else row + 1


def advice_or_none(match: Match) -> list[PlayAdvice]:
    """What the coach says; nothing where it has no numpy to think with."""
    try:
        return list(advice_for(match))
    except CompanionError:
        return []


COMMAND = about_records(
    help="show what a hard robot would have played, where hands are known",
    run=run,
    options=(CHOSEN, flag("--json", help="every play as JSON")),
)


def by_player(
    past: PlayedMatch, all_plays: Sequence[PlayAdvice], t: Translator
) -> Iterator[tuple[Person, tuple[str, ...]]]:
    """Every player whose hand was known, by seat, with the plays, those as good as the robot's, heads lost.

    Only what is certain is counted as lost.
    """
    for person in past.people:
        own = [one for one in all_plays if one.play.seat == person.seat]
        if own:
            lost = sum(one.loss for one in own if one.certain)
            yield person, (t.number(len(own)), t.number(sum(not one.certain for one in own)), tenths(lost, t))


def in_words(one: PlayAdvice, past: PlayedMatch, t: Translator) -> str:
    """A play that lost something, in two sentences."""
    play = one.play
    facts: dict[str, object] = {
        "deal": play.deal,
        "turn": play.turn,
        "name": t.isolated(past.people[play.seat].name),
        "card": str(play.card),
        "less": tenths(one.expected_better, t),
        "more": tenths(one.expected, t),
    }
    if play.row is not None and one.better_row is not None:
        said = say(
            "Deal {deal}, turn {turn}: {name} took row {row} for {card}. Row {better} was better: "
            "about {less} heads instead of {more}."
        )
        return t.say(said.with_facts(**facts, row=play.row + 1, better=one.better_row + 1))
    said = say(
        "Deal {deal}, turn {turn}: {name} played {card}. {better} was better: about {less} heads "
        "instead of {more}."
    )
    told = t.say(said.with_facts(**facts, better=str(one.better)))
    if not play.heads:
        return told
    took = count("It took {count} head right away.", "It took {count} heads right away.", play.heads)
    return f"{told} {t.say(took)}"


def compared(one: PlayAdvice, t: Translator) -> tuple[str, ...]:
    """What was chosen, a card or a row, and the heads to be expected; the same for the robot's choice."""
    played, other = str(one.play.card), str(one.better)
    if one.play.row is not None and one.better_row is not None:
        played, other = t("Row {row}", row=one.play.row + 1), t("Row {row}", row=one.better_row + 1)
    return played, tenths(one.expected, t), other, tenths(one.expected_better, t)


def in_lines(past: PlayedMatch, all_plays: Sequence[PlayAdvice], t: Translator) -> Iterator[str]:
    """The costliest plays in words, a line for each player, and a line for each play."""
    from companion.robots import coach

    told = coach.costliest(all_plays)
    yield t("The most expensive plays:") if told else t("No play was clearly a mistake.")
    for number, one in enumerate(told, start=1):
        yield f"  {t.number(number)}. {in_words(one, past, t)}"
    yield ""
    # Translators: the heads of a table of `nimmt review`: a line for each player.
    heads = (t("plays"), t("as good"), t("heads lost"))
    yield _line(t("player"), heads, (14, *map(columns, heads)))
    for person, cells in by_player(past, all_plays, t):
        yield _line(person.name, cells, (14, *map(columns, heads)))
    yield ""
    # Translators: the heads of a table of `nimmt review`: a line for each play.
    heads_2 = (t("deal"), t("turn"), t("played"), t("expected"), t("robot"), t("expected"))
    plays = [compared(one, t) for one in all_plays]
    wide = max(columns(choice) for cells in plays for choice in (cells[0], cells[2]))
    widths = (14, *(max(columns(head), wide if place in (2, 4) else 0) for place, head in enumerate(heads_2)))
    yield _line(t("player"), heads_2, widths)
    for one, cells in zip(all_plays, plays, strict=True):
        when = (t.number(one.play.deal), t.number(one.play.turn))
        yield _line(past.people[one.play.seat].name, (*when, *cells), widths)


def tenths(heads: float, t: Translator) -> str:
    """Heads in the mean, with one decimal."""
    return t.decimals(Decimals(heads, 1))


def _line(name: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = widths
    told = "  ".join(right(cell, width) for cell, width in zip(cells, others, strict=True))
    return f"{left(cut(name, first), first)}  {told}"

"""What a hard robot would have played, where hands are known: `nimmt review`, and a section of the report."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.robots import coach
from companion.robots.coach import PlayAdvice
from companion.text.errors import CompanionError
from companion.text.sentence import Decimals, count, say
from firmware.commands.declared import about_records, flag
from firmware.commands.records import CHOSEN, chosen, opened
from firmware.history.played_match import PlayedMatch
from firmware.history.players import Person
from firmware.text.translation import Translator


def run(args: argparse.Namespace) -> int:
    """Print the costliest plays, or all as JSON, or that no hand is known. Raises `CompanionError`."""
    with opened(args) as stored:
        past, t = stored.past(chosen(stored, args.match)).named_in(stored.translate), stored.translate
    advice = [coach.judge(play) for play in coach.plays(past.match)]
    if args.json:
        print(json.dumps([*map(_record, advice)], indent=2))
        return 0
    if not advice:
        print(t("no hand of match {match} is known", match=past.id))
        print("  " + t("the coach needs the open draft of 6 nimmt!, hands that were scanned, or robots"))
        return 0
    told = coach.costliest(advice)
    print(t("The most expensive plays:") if told else t("No play was clearly a mistake."))
    for number, play_advice in enumerate(told, start=1):
        head, *why = _in_words(play_advice, past, t)
        print(f"  {t.number(number)}. {head}", *why, sep="\n     ")
    for person, cells in _by_player(past, advice, t):
        counts = (f"{head} {cell}" for head, cell in zip(_heads(t), cells, strict=True))
        print(f"{person.name}: {', '.join(counts)}")
    return 0


COMMAND = about_records(
    help="show what a hard robot would have played, where hands are known",
    run=run,
    options=(CHOSEN, flag("--json", help="every play as JSON")),
)


def section(past: PlayedMatch, translate: Translator) -> str:
    """What a hard robot would have played, for the page of a match: in words, by player, and play by play.

    Empty where no hand is known, or numpy is missing.
    """
    try:
        advice = [coach.judge(play) for play in coach.plays(past.match)]
    except CompanionError:
        return ""
    if not advice:
        return ""
    from firmware.history.rendering import templates  # only reports load Jinja2

    t = translate
    return (
        templates(Path(__file__).parent / "templates")
        .get_template("review.html")
        .render(
            t=t,
            costliest=[_in_words(play_advice, past, t) for play_advice in coach.costliest(advice)],
            heads=("", *_heads(t)),
            players=_by_player(past, advice, t),
            plays=[_cells(play_advice, past, t) for play_advice in advice],
        )
    )


def _record(advice: PlayAdvice) -> dict[str, object]:
    """What the coach says of a play for other programs; all numbers count from 1."""
    play = advice.play
    return {
        "deal": play.deal,
        "turn": play.turn,
        "seat": play.seat + 1,
        "card": str(play.card),
        "better": str(advice.better),
        "row": None if play.row is None else play.row + 1,
        "better_row": None if advice.better_row is None else advice.better_row + 1,
        "expected": round(advice.expected, 2),
        "expected_better": round(advice.expected_better, 2),
        "took": play.heads,
        "certain": advice.certain,
        "rows": play.before.position.table.rows,
        "why": [str(placed.because.says) for placed in advice.placed()],
        "deal_heads": play.outcome,
    }


def _heads(t: Translator) -> tuple[str, ...]:
    return t("plays"), t("as good"), t("extra heads")


def _by_player(
    past: PlayedMatch, advice: Sequence[PlayAdvice], t: Translator
) -> Iterator[tuple[Person, tuple[str, ...]]]:
    """Every player whose hand was known, by seat, and what stands below `_heads`.

    Only what is certain is counted as lost.
    """
    for person in past.people:
        own = [play_advice for play_advice in advice if play_advice.play.seat == person.seat]
        if own:
            bad = [play_advice for play_advice in own if play_advice.certain]
            lost = _tenths(sum(play_advice.loss for play_advice in bad), t)
            yield person, (t.number(len(own)), t.number(len(own) - len(bad)), lost)


def _in_words(advice: PlayAdvice, past: PlayedMatch, t: Translator) -> tuple[str, ...]:
    """What was better, the rows as they lay, what happened to each of the two choices, and how it ended."""
    play, names = advice.play, [person.name for person in past.people]
    name = t.isolated(names[play.seat])
    facts: dict[str, object] = {
        "deal": play.deal,
        "turn": play.turn,
        "name": name,
        "card": str(play.card),
        "less": _tenths(advice.expected_better, t),
        "more": _tenths(advice.expected, t),
    }
    if play.row is not None and advice.better_row is not None:
        said = say(
            "Deal {deal}, turn {turn}: {name} took row {row} for {card}. Row {better} was better: "
            "about {less} heads instead of {more}."
        )
        facts |= {"row": play.row + 1, "better": advice.better_row + 1}
    else:
        facts["better"] = str(advice.better)
        said = say(
            "Deal {deal}, turn {turn}: {name} played {card}. {better} was better: about {less} heads "
            "instead of {more}."
        )
    happened, instead = (t.calling(names).say(placed.because.says) for placed in advice.placed())
    rows = " | ".join(" ".join(map(str, row)) for row in play.before.position.table.rows)
    took = count(
        "{name} took {count} head in this deal",
        "{name} took {count} heads in this deal",
        play.outcome,
        name=name,
    )
    return (
        t.say(said.with_facts(**facts)),
        t("rows: {rows}", rows=t.isolated(rows)),
        t("what happened: {reason}", reason=happened),
        t("with the better choice: {reason}", reason=instead),
        t.say(took),
    )


def _cells(advice: PlayAdvice, past: PlayedMatch, t: Translator) -> tuple[str, ...]:
    """A play in a line: when, who, what was chosen (a card or a row), what the robot would have chosen."""
    play, played, better = advice.play, str(advice.play.card), str(advice.better)
    if play.row is not None and advice.better_row is not None:
        played, better = t("Row {row}", row=play.row + 1), t("Row {row}", row=advice.better_row + 1)
    when = f"{t.number(play.deal)}.{t.number(play.turn)}"
    chosen = (played, _tenths(advice.expected, t), better, _tenths(advice.expected_better, t))
    return when, past.people[play.seat].name, *chosen


def _tenths(heads: float, t: Translator) -> str:
    return t.decimals(Decimals(heads, 1))

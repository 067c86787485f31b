"""`nimmt show`: a match as a story by turns, or by steps with the stored reasons; `nimmt replay`: a file."""

import argparse
import shutil
from collections.abc import Iterable, Mapping
from itertools import chain

from companion.match import log
from companion.match.match import Step, begin
from companion.text.errors import CompanionError
from companion.text.sentence import Who, say
from firmware.commands.declared import Command, about_records, flag, one_of, path
from firmware.commands.language import spoken
from firmware.commands.records import CHOSEN, chosen, opened
from firmware.config.configuration import load
from firmware.history.command_text import sentence
from firmware.history.exported import split_matches, text_of
from firmware.history.stored_time import read_time, shown
from firmware.history.story import WIDTH, in_lines, story_of
from firmware.text.translation import Translator

WIDEST = 120


def run_show(args: argparse.Namespace) -> int:
    """Print a match, up to a damage in it. Raises `CompanionError` for that, and if nothing can be read."""
    with opened(args) as stored:
        entry = chosen(stored, args.match)
        if args.steps:
            t, begun = stored.translate, read_time(entry.started_at)
            when = entry.started_at if begun is None else shown(begun, t)
            print(t("match {id}, started {when}", id=entry.id, when=when))
            print_story(chain([entry.header], stored.journal.steps(entry.id)), t)
            return 0
        past = stored.past(entry).named_in(stored.translate)
        width = min(WIDEST, shutil.get_terminal_size((WIDTH, 0)).columns)
        story = story_of(past, stored.translate)
        for line in in_lines(past, story, stored.translate, width):
            print(line)
    if past.damage is not None:
        raise past.damage
    return 0


def run_replay(args: argparse.Namespace) -> int:
    """Print the story of the file. Raises `CompanionError` naming the line that cannot be read."""
    records = list(log.from_lines(text_of(args.file).splitlines()))
    for part in split_matches(records):
        print_story(records[part], spoken(load(None), None))
    return 0


def print_story(records: Iterable[Mapping[str, object]], translate: Translator) -> None:
    """Print every step of a log: what was done and why it was valid. Raises `InvalidRecord`.

    Cards that were given face down in a deal that is still played are not named.
    """
    lines = iter(records)
    match = begin(log.read_header(next(lines, None)))
    t, end = translate, translate.in_a_sentence(translate.say(match.game.end.short()))
    print(
        t("{game}, {seats} players, {end}", game=t.title(match.game.title), seats=match.terms.seats, end=end)
    )
    done: list[tuple[int, Mapping[str, object], Step]] = []
    damage: CompanionError | None = None
    try:
        for record in lines:
            step = log.read_step(record, match.game)
            deal, match = match.position.deal, match.then(step)
            done.append((deal, record, step))
    except CompanionError as bad:
        damage = bad
    in_progress = None if match.position.over else match.position.deal
    for deal, record, step in done:
        if step.voids is not None:
            print(f"{step.number:4}  {t('step {number} is undone', number=step.voids)}")
            continue
        order = record.get("do")
        said = (
            sentence(order, match.game, translate, in_progress=deal == in_progress)
            if isinstance(order, dict)
            else translate("the score is recorded")
        )
        print(f"{step.number:4}  {t('redone: {step}', step=said) if step.redoes else said}")
        for rule, says in step.because:
            print(f"        {translate.say(says)} [{rule}]")
    if damage is not None:
        raise damage
    totals = tuple(
        say("{who}: {total}", who=Who(seat), total=total) for seat, total in enumerate(match.totals)
    )
    print(t("totals: {totals}", totals=totals))


SHOW = about_records(
    help="show a match turn by turn: who took what, and why",
    run=run_show,
    options=(
        CHOSEN,
        one_of(
            flag("--story", help="turn by turn, with names (the default)"),
            flag("--steps", help="every step, including those that were undone"),
        ),
    ),
    examples=("nimmt show 1", "nimmt show 1 --steps"),
)

REPLAY = Command(
    help="read exported JSON lines and check that they form a valid match",
    run=run_replay,
    options=(path("file", help="JSON lines from `nimmt export`"),),
)

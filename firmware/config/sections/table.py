"""The section `[table]`: the players, and the times of the referee."""

from __future__ import annotations

from typing import Annotated, Final

from companion.core.codes import BADGES
from companion.text.errors import CompanionError, quoted
from companion.text.sentence import is_one_line, say
from companion.values import Value
from hardware.options import option

LONGEST_NAME: Final = 60


class TableOptions(Value):
    """The names of the players, and the time limits of the referee."""

    names: Annotated[tuple[str, ...], option("the players by badge number: the first name is badge 1")] = ()
    seat_order: Annotated[
        bool,
        option(
            "whether the cards of a turn are scanned in seat order, so that nobody is asked who played one"
        ),
    ] = False
    ready: Annotated[
        bool,
        option(
            "whether players scan their badges when they have chosen their cards, before any card is revealed"
        ),
    ] = False
    choice_s: Annotated[
        float,
        option(
            "seconds in which a row is to be chosen: the last ten are counted down, then the display says "
            "that time is up, and nothing is chosen; 0 means no clock",
            low=0.0,
            high=600.0,
        ),
    ] = 0.0
    missing_card_s: Annotated[
        float, option("seconds without a scan before the missing card is requested", low=1.0, high=600.0)
    ] = 20.0
    extra_card_s: Annotated[
        float,
        option(
            "seconds after a ruling in which the display asks whether the next card was one too many",
            low=0.5,
            high=60.0,
        ),
    ] = 4.0
    ruling_s: Annotated[
        float,
        option(
            "seconds after which the next page of a ruling is shown by itself; 0 means with OK only",
            low=0.0,
            high=60.0,
        ),
    ] = 4.0
    duplicate_s: Annotated[
        float, option("seconds in which the same code again counts as the same scan", low=0.0, high=10.0)
    ] = 1.0
    take_shown_s: Annotated[
        float, option("seconds for which the display shows who takes a row", low=0.0, high=30.0)
    ] = 2.5

    def __post_init__(self) -> None:
        if len(self.names) > len(BADGES):
            raise CompanionError(
                say(
                    "names has {names} players, but there are only {badges} badges",
                    names=len(self.names),
                    badges=len(BADGES),
                ),
                say("list fewer players"),
            )
        for number, name in enumerate(self.names, start=1):
            if len(name) > LONGEST_NAME:
                raise CompanionError(
                    say(
                        "the name of badge {number} ({name}) has {name_2} letters",
                        number=number,
                        name=quoted(name),
                        name_2=len(name),
                    ),
                    say(
                        "give a name of at most {longest_name} letters; the display shows about eight",
                        longest_name=LONGEST_NAME,
                    ),
                )
            if not name.strip() or not is_one_line(name):
                raise CompanionError(
                    say("the name of badge {number} is empty or cannot be shown", number=number),
                    say("give a name that can be shown"),
                )
            if name in self.names[: number - 1]:
                raise CompanionError(
                    say("the name {name} is given twice", name=quoted(name)),
                    say("give the two players different names"),
                )

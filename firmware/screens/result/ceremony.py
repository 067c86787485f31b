"""The end of a match as an event: the winner with a crown, then what else there was to win.

The pages lie on the result and go on by themselves. OK goes on sooner; any other key closes them and does
what it does on the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import say
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN, MAIN_WORDS
from firmware.screens.parts.base import KEYS, Controller, Keys, KeyUse, Page, back, passed_on
from firmware.screens.parts.player_names import name_seats
from hardware.ports import Key, Signal

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

WINNER_S: Final = 6.0
AWARDS_S: Final = 8.0
"""For how long the awards stay, after the winner."""

_CROWN: Final = (
    "...............##...............",
    "..............####..............",
    "..............####..............",
    "##.............##.............##",
    "###...........####...........###",
    "####..........####..........####",
    ".####........######........####.",
    ".######......######......######.",
    ".#######....########....#######.",
    ".#########..########..#########.",
    "..############################..",
    "..############################..",
    "..############################..",
    "...##########################...",
    "...##########################...",
    "................................",
    "...##########################...",
    "...#.####.####.####.####.###.#..",
    "...##########################...",
)
_BULL: Final = (
    "##..............##",
    "##..............##",
    "###............###",
    ".###..######..###.",
    ".################.",
    "..##############..",
    "...############...",
    "...##.######.##...",
    "...############...",
    "....##########....",
    "....##########....",
    ".....########.....",
    ".....#.####.#.....",
    ".....########.....",
    "......######......",
)


def celebrate(controller: Controller) -> None:
    """Show who has won, and what else there was to win, over the result; sound it.

    Nothing is shown while the match is not over, or nobody has agreed on what a tie means.
    """
    match = controller.session.playing
    if not match.position.over or match.tied:
        return
    controller.open(Awards(), lasts_s=WINNER_S + AWARDS_S)
    controller.open(Winner(), lasts_s=WINNER_S)
    controller.signal(Signal.WON)


class _Ceremony(Page):
    """OK and UNDO close the page in front; another key is for the result beneath all of them."""

    GOES_ON_WITH_OK: ClassVar[bool] = True

    def keys(self, session: Session) -> Keys:
        """All keys but WHY, which tells the reason on every page."""
        others = [key for key in KEYS if key is not Key.WHY]
        on = KeyUse(back, help=say("GO ON"))
        return {**passed_on(others, lambda at: at.home()), Key.OK: on, Key.UNDO: on}


def _picture(canvas: Canvas, x_px: int, y_px: int, rows: Sequence[str]) -> None:
    for down, row in enumerate(rows):
        for across, dot in enumerate(row):
            if dot == "#":
                canvas.fill(x_px + across, y_px + down, 1, 1)


class Winner(_Ceremony):
    """Who has won, as large as the display is."""

    NAME: ClassVar[str] = "winner"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The crown, the total beside it, the name below."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        winners = list(match.winners or ())
        if layout.plan.row_bar:
            game = layout.plan.title[-1].fit(t.title(match.game.title).upper(), canvas.size_px[0] // 2 - 2)
            layout.title(t("SHARED WIN") if _several(session, winners) else t("THE WINNER"), game)
        free = layout.free
        total = next(
            place.total for place in match.position.score_sheet.standings(match.players) if place.rank == 1
        )
        crown_px = len(_CROWN[0])
        top = Area(free.x_px, free.y_px + 3, free.width_px, len(_CROWN))
        x_px = (free.width_px - crown_px) // 2
        _picture(canvas, x_px, top.y_px, _CROWN)
        layout.main(
            Area(x_px + crown_px + 4, top.y_px, free.width_px - x_px - crown_px - 6, top.height_px),
            session.translate.number(total),
            MAIN_WORDS,
            align="end",
        )
        below = free.below(top.bottom_px + 3 - free.y_px)
        room = Area(2, below.y_px, free.width_px - 4, below.height_px)
        if len(winners) <= _MOST_NAMED:
            name_seats(layout, room, session, winners, MAIN)
        else:
            layout.main(room, t("{count} PLAYERS", count=len(winners)))


_MOST_NAMED: Final = 3
"""Names of winners that have room in one line."""


def _several(session: Session, winners: Sequence[Seat]) -> bool:
    """Whether several sides win; a team is one."""
    match = session.playing
    return sum(place.rank == 1 for place in match.position.score_sheet.standings(match.players)) > 1 and bool(
        winners
    )


class Awards(_Ceremony):
    """Who has the most points, the costliest card, the best deal."""

    NAME: ClassVar[str] = "awards"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The first one large, the others in lines."""
        t, layout, honours = session.translate, Layout(canvas, session.plan), session.about.honours()
        plan = layout.plan
        row = 0
        if honours.most is not None:
            layout.title(t("OX KING") if honours.heads else t("MOST POINTS"), t.number(honours.most.points))
            free = layout.free
            line = Area(2, free.y_px + (2 if plan.row_bar else 0), free.width_px - 4, 15)
            at_px = line.right_px - len(_BULL[0]) if plan.right_to_left else line.x_px
            _picture(canvas, at_px, line.y_px, _BULL)
            name_px = line.width_px - len(_BULL[0]) - 6
            left_px = line.x_px if plan.right_to_left else line.x_px + len(_BULL[0]) + 6
            name_seats(
                layout,
                Area(left_px, line.y_px, name_px, line.height_px),
                session,
                honours.most.seats,
                MAIN_WORDS,
            )
            row = 2 if plan.row_bar else 1
        else:
            layout.title(t("AWARDS"))
        for text, end in _lines(session, wide=plan.row_bar):
            layout.pair(row, text, end)
            row += 1


def _lines(session: Session, *, wide: bool) -> list[tuple[str, str]]:
    """What was won, and by whom; with words for it where there is room."""
    t, honours = session.translate, session.about.honours()
    found: list[tuple[str, str]] = []
    if honours.card is not None:
        card = f"{session.label(honours.card.card)} ({t.number(honours.card.points)})"
        who = _who(session, honours.card.seats)
        found += [(t("COSTLIEST CARD"), card), ("", who)] if wide else [(card, who)]
    if honours.best is not None:
        deal = t("DEAL {deal}", deal=honours.best.deal) if honours.best.deal else ""
        who = _who(session, honours.best.seats)
        points = t.digits(f"{honours.best.points:+}")  # without a sign it reads as the number of a deal
        short = t("BEST {points}", points=honours.best.points)
        found += [(t("BEST DEAL"), points), (deal, who)] if wide else [(short, who)]
    return found


def _who(session: Session, seats: Sequence[Seat]) -> str:
    """One player by name; of several how many they are."""
    if len(seats) == 1:
        return session.short_name(seats[0], _NAME_COLUMNS)
    return session.translate("{count} PLAYERS", count=len(seats))


_NAME_COLUMNS: Final = 10

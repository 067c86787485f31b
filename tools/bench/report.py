"""The figures as a table for people and as a file for programs; nothing is measured or judged here."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any, Final

from tools.bench.figure import BUSY_PERCENT, Bound, Figure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_HEADINGS: Final = ("figure", "measured", "limit", "floor", "verdict", "note")
_WIDTHS: Final = (34, 11, 11, 11, 14)
_NARROWEST_NOTE: Final = 20
_SIGNS: Final = {Bound.AT_MOST: "≤", Bound.AT_LEAST: "≥", Bound.EXACTLY: "="}


def heading(columns: int) -> str:
    """The head of the table, in a window so many columns wide."""
    return f"{_row(_HEADINGS, columns)}\n{'─' * columns}"


def row(figure: Figure, columns: int) -> str:
    """One figure; its note takes as many lines as it needs."""
    cells = (
        figure.name,
        _number(figure.measured, figure.unit),
        ""
        if figure.limit is None
        else f"{_SIGNS[figure.limit.bound]} {_number(figure.limit.value, figure.unit)}",
        _number(figure.floor, figure.unit),
        figure.verdict.value,
        _note(figure),
    )
    return _row(cells, columns)


def summary(figures: Iterable[Figure], busy_percent: float) -> str:
    """What all of it comes to, in a line or two, and a warning where other programs were in the way."""
    limited = [figure for figure in figures if figure.verdict is not Verdict.SHOWN]
    lines = [f"{_count(limited, Verdict.HELD)} of {len(limited)} limits are met"]
    for verdict, told in ((Verdict.MISSED, "not met"), (Verdict.UNMEASURABLE, "not measurable")):
        if names := [figure.name for figure in limited if figure.verdict is verdict]:
            lines[0] += f"; {told}: {', '.join(names)}"
    if busy_percent >= BUSY_PERCENT:
        lines.append(
            f"Other programs took {busy_percent:.0f} % of a processor meanwhile; "
            "on a quiet machine times are shorter and rates higher."
        )
    return "\n".join(lines)


def write(place: Path, figures: Iterable[Figure], about: Mapping[str, Any]) -> None:
    """Put everything into a JSON file; missing folders are made."""
    place.parent.mkdir(parents=True, exist_ok=True)
    record = {**about, "figures": [figure.record() for figure in figures]}
    place.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _count(figures: Iterable[Figure], verdict: Verdict) -> int:
    return sum(figure.verdict is verdict for figure in figures)


def _note(figure: Figure) -> str:
    if not figure.disturbed or figure.verdict is not Verdict.UNMEASURABLE:
        return figure.note
    return f"others took {figure.others_percent:.0f} % of a processor; {figure.note}"


def _row(cells: tuple[str, ...], columns: int) -> str:
    *firsts, note = cells
    name, *numbers, verdict = firsts
    left = name.ljust(_WIDTHS[0])
    left += "".join(number.rjust(width) for number, width in zip(numbers, _WIDTHS[1:-1], strict=True))
    left += "  " + verdict.ljust(_WIDTHS[-1])
    room = max(columns - len(left) - 1, _NARROWEST_NOTE)
    lines = textwrap.wrap(note, room) or [""]
    return "\n".join([f"{left} {lines[0]}".rstrip(), *(" " * (len(left) + 1) + line for line in lines[1:])])


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    if abs(value) >= 100 or value == int(value):
        number = f"{value:,.0f}".replace(",", " ")
    else:
        number = f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
    return f"{number} {unit}".strip()

"""The chart as SVG, for the report and as a file of its own; it needs no other file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from firmware.history.chart import LEFT, LIMIT, MARKER, flattened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.history.chart import Chart, Curve, Point, Word
    from firmware.text.translation import Translator

_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_LETTER: Final = 0.58
"""The approximate width of a letter, relative to its size."""


def as_svg(chart: Chart, translate: Translator, title: str) -> str:
    """The whole drawing; screen readers read the `title`."""
    lines = "\n".join(_lines(chart, translate))
    size = chart.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size.width} {size.height}" role="img"'
        f' direction="ltr" font-family="{_FONT}">\n<title>{escape(title)}</title>\n{lines}\n</svg>\n'
    )


def _lines(chart: Chart, translate: Translator) -> Iterator[str]:
    yield f'<rect width="{chart.size.width}" height="{chart.size.height}" fill="#fff"/>'
    for y, total in chart.ticks:
        colour = "#8a8a8a" if total == 0 else "#e4e4e4"
        yield f'<path d="M{LEFT} {y}H{chart.right}" stroke="{colour}"/>'
    if chart.limit is not None:
        dots = f'stroke="{LIMIT}" stroke-width="1.5" stroke-dasharray="2 5"'
        yield f'<path d="M{LEFT} {chart.limit[0]}H{chart.right}" {dots}/>'
    for curve in chart.curves:
        yield from _curve(curve)
    for word in chart.words(translate):
        yield _text(word)


def _curve(curve: Curve) -> Iterator[str]:
    colour = curve.look.colour
    places = " ".join(f"{x},{y}" for x, y in curve.points)
    yield (
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{curve.width}"'
        ' stroke-linejoin="round" stroke-linecap="round"/>'
    )
    if curve.leads is not None:
        (x, y), (to_x, to_y) = curve.leads
        yield f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}" stroke-opacity=".5"/>'
    for place in (*curve.points[1:], curve.sign):
        yield _shape(curve, place)


def _shape(curve: Curve, centre: Point) -> str:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in flattened(curve.look.shape, centre, MARKER))
    return f'<polygon points="{corners}" fill="{curve.look.colour}" stroke="#fff" stroke-width="1.2"/>'


def _text(word: Word) -> str:
    (x, y), text = word.at, word.text
    if word.most is not None and len(text) * word.size * _LETTER > word.most:
        text = text[: max(1, int(word.most / word.size / _LETTER) - 1)] + "…"
    weight = ' font-weight="700"' if word.bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{word.size}" text-anchor="{word.anchor}"'
        f' fill="{word.colour}"{weight}>{escape(text)}</text>'
    )

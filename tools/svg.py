"""Pieces of drawings for the documentation, as SVG text; what is drawn is in `tools.drawings`.

Each drawing has a background of its own and two sets of colours, for light and for dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from PIL.Image import Image

_LIGHT: Final = {
    "paper": "fill:#ffffff;stroke:#d0d7de",
    "ink": "fill:#1f2328",
    "soft": "fill:#59636e",
    "line": "fill:none;stroke:#59636e",
    "tip": "fill:#59636e",
    "plain": "fill:#f6f8fa;stroke:#afb8c1",
    "blue": "fill:#ddf4ff;stroke:#54aeff",
    "green": "fill:#dafbe1;stroke:#4ac26b",
    "gold": "fill:#fff8c5;stroke:#d4a72c",
    "rose": "fill:#ffebe9;stroke:#ff8182",
}
_DARK: Final = {
    "paper": "fill:#0d1117;stroke:#3d444d",
    "ink": "fill:#f0f6fc",
    "soft": "fill:#9198a1",
    "line": "fill:none;stroke:#9198a1",
    "tip": "fill:#9198a1",
    "plain": "fill:#1b2129;stroke:#656c76",
    "blue": "fill:#0c2d4f;stroke:#388bfd",
    "green": "fill:#0f2f1c;stroke:#2ea043",
    "gold": "fill:#3a2d05;stroke:#bb8009",
    "rose": "fill:#3f1315;stroke:#f85149",
}
_FONT: Final = "font-family:'Segoe UI',system-ui,'DejaVu Sans',Verdana,Arial,sans-serif"


def drawing(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """A whole drawing. `title` says in words what it shows, for people who cannot see it."""
    light = "".join(f".{name}{{{style}}}" for name, style in _LIGHT.items())
    dark = "".join(f".{name}{{{style}}}" for name, style in _DARK.items())
    style = f"text{{{_FONT}}}{light}@media (prefers-color-scheme:dark){{{dark}}}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            box(1, 1, width - 2, height - 2, "paper", radius=14),
            *parts,
            "</svg>\n",
        ]
    )


def box(x: float, y: float, width: float, height: float, look: str, *, radius: float = 8) -> str:
    """A rectangle with round corners; `look` is a class of the style."""
    return (
        f'<rect class="{look}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"'
        ' stroke-width="1.5"/>'
    )


def filled(x: float, y: float, width: float, height: float, colour: str, *, radius: float = 0) -> str:
    """A rectangle of one colour, the same on light and dark pages."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{colour}"/>'


def text(
    x: float,
    y: float,
    words: str,
    size: float = 15,
    look: str = "ink",
    *,
    anchor: str = "middle",
    bold: bool = False,
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text class="{look}" x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{weight}>'
        f"{escape(words)}</text>"
    )


def arrow(*points: tuple[float, float]) -> str:
    """A line through the points, with a tip at the last one. The last stretch is level or upright."""
    path = " ".join(f"{'L' if place else 'M'}{x} {y}" for place, (x, y) in enumerate(points))
    (from_x, from_y), (x, y) = points[-2:]
    side = 5
    if from_y == y:
        back = x - 9 if x > from_x else x + 9
        tip = f"{x},{y} {back},{y - side} {back},{y + side}"
    else:
        back = y - 9 if y > from_y else y + 9
        tip = f"{x},{y} {x - side},{back} {x + side},{back}"
    return f'<path class="line" d="{path}" stroke-width="1.8"/><polygon class="tip" points="{tip}"/>'


def pixels(picture: Image, x: float, y: float, scale: float, colour: str) -> str:
    """The lit pixels of a picture of mode "1", as one path."""
    flat = picture.convert("L").tobytes()
    runs = []
    for row in range(picture.height):
        line = flat[row * picture.width : (row + 1) * picture.width]
        start = line.find(b"\xff")
        while start >= 0:
            end = next((at for at in range(start, len(line)) if not line[at]), len(line))
            runs.append(f"M{start} {row}h{end - start}v1h{start - end}z")
            start = line.find(b"\xff", end)
    return f'<path transform="translate({x} {y}) scale({scale})" fill="{colour}" d="{"".join(runs)}"/>'

"""How a driver declares what can be configured.

A driver has a frozen dataclass `Options` whose fields are made with `option`. Its names, types, limits and
descriptions are all that the reader of the configuration and the documentation know about the driver.

```python
@dataclass(frozen=True, slots=True)
class Options:
    folder: str = option("folder for the pictures; it must exist and be writable")
    scale_px: int = option("edge of a display pixel in the picture, in pixels", 4, low=1, high=16)
```
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from hardware.errors import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

_REQUIRED: Any = object()


def option(
    about: str,
    default: Any = _REQUIRED,  # noqa: ANN401 - the field's annotation says the type
    *,
    low: float | None = None,
    high: float | None = None,
    among: tuple[Any, ...] = (),
) -> Any:  # noqa: ANN401
    """One configurable field: what it is about, with its unit; inclusive limits, or the allowed values.

    People read `about` in their language (`hardware.errors.sentence`); it begins as within a sentence, and
    ends without a full stop.

    Field types understood by the reader: bool, int, float, str, tuple[int, ...],
    tuple[str, ...], dict[str, int], dict[str, str], and each of them `| None`.
    """
    metadata: Mapping[str, Any] = {"about": sentence(about), "low": low, "high": high, "among": among}
    if default is _REQUIRED:
        return field(metadata=metadata)
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)

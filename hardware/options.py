"""How a driver declares what can be configured.

A driver has a frozen struct `Options` whose fields are annotated with `option`. Its names, types, limits,
defaults and descriptions are all that the reader of the configuration and the documentation know about the
driver. Annotations are looked at when a configuration is read, and by no start for a driver that is not used.

```python
class Options(Struct, frozen=True):
    folder: Annotated[str, option("folder for the pictures; it must exist and be writable")]
    scale_px: Annotated[int, option("edge of a display pixel in the picture, in pixels", low=1, high=16)] = 4
```
"""

from typing import Any

from msgspec import Struct

from hardware.errors import sentence


class Option(Struct, frozen=True):
    """What is known about one configurable field, beside its name, type and default."""

    about: str
    low: float | None = None
    high: float | None = None
    among: tuple[Any, ...] = ()
    in_file: bool = False
    locked_by: str = ""


def option(  # noqa: PLR0913 - keywords
    about: str,
    *,
    low: float | None = None,
    high: float | None = None,
    among: tuple[Any, ...] = (),
    in_file: bool = False,
    locked_by: str = "",
) -> Option:
    """What a configurable field is about, with its unit; inclusive limits, or the allowed values.

    `in_file`: it is changed in the file itself only, by who may write that, and by no program: it names a
    file, or lets programs in. `locked_by` names another such field of the same section: with a value there,
    this one is changed in the file only, too, as it says where a secret goes.

    People read `about` in their language (`hardware.errors.sentence`); it begins as within a sentence, and
    ends without a full stop.

    Field types understood by the reader: bool, int, float, str, tuple[int, ...],
    tuple[str, ...], dict[str, int], dict[str, str], and each of them `| None`.
    """
    return Option(sentence(about), low, high, among, in_file, locked_by)

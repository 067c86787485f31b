"""The quick `replace` for frozen values does what that of `dataclasses` does."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from companion.core import frozen, games
from tests.companion.random_match import agreed, legal


@pytest.mark.parametrize("game", games.GAMES)
def test_a_copy_has_the_changed_fields_and_all_others_of_the_value(game: str) -> None:
    match = agreed(game, Random(game))
    for _ in range(30):
        match = match.then(legal(match, Random(game)))
    for value in (match.position.table, match.position, match.position.score_sheet):
        fields = [field.name for field in dataclasses.fields(value)]
        for name in fields:
            copy = frozen.replace(value, **{name: "something else"})
            assert type(copy) is type(value)
            assert [getattr(copy, one) for one in fields] == [
                "something else" if one == name else getattr(value, one) for one in fields
            ]
        assert frozen.replace(value) == value


def test_what_was_worked_out_from_a_value_is_not_copied_with_it() -> None:
    sheet = agreed("six", Random(1)).position.score_sheet.scored((1, 2))
    assert sheet.totals[:2] == (1, 2)
    assert frozen.replace(sheet, deals=()).totals[:2] == (0, 0)


def test_a_field_that_a_value_does_not_have_is_named() -> None:
    with pytest.raises(TypeError, match="Position has no field tabel"):
        frozen.replace(agreed("six", Random(1)).position, tabel=None)  # type: ignore[call-arg] # a mistake


def test_a_cached_property_is_worked_out_once_for_each_value_and_has_its_docstring() -> None:
    asked = list[int]()

    @dataclasses.dataclass(frozen=True)
    class Value:
        number: int

        @frozen.cached_property
        def double(self) -> int:
            """Twice the number."""
            asked.append(self.number)
            return 2 * self.number

    value = Value(3)
    assert [value.double, value.double, frozen.replace(value, number=4).double] == [6, 6, 8]
    assert asked == [3, 4]
    assert Value.double.__doc__ == "Twice the number."

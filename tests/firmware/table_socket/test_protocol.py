"""The protocol is as its chapter says: the schema holds for all that is sent, and the session happens."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator

import firmware
from firmware.play.table import installed
from firmware.screens.parts.base import Page
from firmware.table_socket import acts
from firmware.table_socket.messages import schema

PAGE_NAMES = """
    after_deal agree another_table attract audit awards beginner better_choice card_count
    card_of_robot card_shown certificate choose_player choose_stack collecting confirm
    confirm_result deal deal_end deal_result deals dealt_hand decide decision device_away dial
    edit_deal enter_name erase extra_card first_language given_card graph hand hands hello help home
    how_many language leave_deal lesson lesson_end lesson_right lesson_wrong match_end match_result
    menu missing_cards name_stays name_whom next_card on_turn operator pairing pass_on pick_players
    pile pin placement players race records refusal registered registration robot_cards robot_gives
    robot_moved robot_row robot_thinks rows ruling ruling_list scene seated_here sentence
    set_up_table share standings start still_there sums swap_preview switch_off table_is_set_up
    taken thinking tie update visitor_language visitor_menu which_game which_row why winner
    wrong_card wrong_hand
"""
"""What pages are called in the protocol. A class of another name must not change one: programs know them."""


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({**schema(), "anyOf": [{"$ref": f"#/$defs/{name}"}]})


def validators_of_sent() -> dict[str, Draft202012Validator]:
    """What holds for a message that is sent, by its kind."""
    whole = schema()
    names = [one["$ref"].rpartition("/")[2] for one in whole["$defs"]["sent"]["anyOf"]]
    return {whole["$defs"][name]["properties"]["kind"]["enum"][0]: validator(name) for name in names}


def test_pages_keep_the_names_that_programs_know() -> None:
    for found in pkgutil.walk_packages(firmware.__path__, "firmware."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    assert {page.NAME for page in _subclasses(Page)} >= set(PAGE_NAMES.split())


def _subclasses(of: type[Page]) -> Iterator[type[Page]]:
    for one in of.__subclasses__():
        yield one
        yield from _subclasses(one)


@pytest.mark.slow
def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


def test_the_schema_knows_every_act() -> None:
    defs = schema()["$defs"]
    read = [defs[one["$ref"].rpartition("/")[2]]["properties"] for one in defs["read"]["anyOf"]]
    known = {one["act"]["enum"][0] for one in read if "act" in one}
    assert known == set(map(acts.name_of, (*acts.ACTS, *(act for part in installed() for act in part.ACTS))))


def test_the_schema_refuses_what_the_table_refuses() -> None:
    read = validator("read")
    for said in (
        {"kind": "act", "act": "scan"},
        {"kind": "act", "act": "scan", "code": "ü"},
        {"kind": "act", "act": "key", "key": "enter"},
        {"kind": "act", "act": "name", "badge": 11, "name": "Ana"},
        {"kind": "snapshot"},
        {"kind": "shout"},
    ):
        assert not read.is_valid(said)

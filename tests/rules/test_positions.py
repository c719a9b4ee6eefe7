"""Rule positions: those handed out, our own, and any file named in RULES_CASES."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from games.rules.positions import SHOWN, failures

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.glob("*.jsonl")) + [
    Path(name) for name in os.environ.get("RULES_CASES", "").split(os.pathsep) if name
]


def positions() -> list[Any]:
    """Every position of every file, as a parameter named after file and position."""
    return [
        pytest.param(position, id=f"{file.stem}-{position['id']}")
        for file in FILES
        for position in map(json.loads, filter(str.strip, file.read_text().splitlines()))
    ]


@pytest.mark.parametrize("position", positions())
def test_a_position_turns_out_as_it_says(position: dict[str, Any]) -> None:
    assert failures(position) == []


def position_of(identity: str) -> dict[str, Any]:
    """One of the positions handed out, to be spoilt."""
    lines = (CASES / "given.jsonl").read_text().splitlines()
    return next(each for each in map(json.loads, lines) if each["id"] == identity)


@pytest.mark.parametrize("key", sorted(SHOWN))
def test_a_wrong_expectation_is_found_under_every_key(key: str) -> None:
    position = position_of("MT001")
    wrong: Any = {
        "hands": {"0": ["AS"]},
        "hand_sizes": {"0": 99},
        "points": {"0": 99},
        "indicators": {"0": "card"},
        "visible": {"0": {"hands": ["0", "1"], "stock": True, "discard": "all"}},
        "legal": ["AS"],
        "winners": [0],
        "stock": ["AS"],
    }.get(key, "something else")
    position["expect"] = {key: wrong}
    assert len(failures(position)) == 1


def test_a_refusal_that_does_not_come_is_found() -> None:
    position = position_of("MT041")
    position["expect"] = {"error": "cut_not_allowed"}
    assert failures(position) == ["refusal: expected cut_not_allowed, got None"]


def test_a_refusal_that_was_not_expected_is_found() -> None:
    position = position_of("MT037")
    del position["expect"]["error"]
    assert failures(position) == ["refusal: expected None, got illegal_card"]


def test_what_is_null_or_missing_says_nothing() -> None:
    bare = {"game": "matatu", "hands": {"0": ["5H", "9C"], "1": ["3C"]}, "top": "9H", "turn": 0}
    expect = {"legal": ["5H", "9C"], "direction": 1, "penalty": 0, "skip": False, "stock": []}
    keys = ("options", "penalty", "skip", "direction", "stock", "under", "cut_suit", "actions")
    assert failures(bare | {"expect": expect}) == []
    assert failures(bare | dict.fromkeys(keys) | {"expect": expect}) == []
    silent = {"seat": None, "do": "pass", "card": None, "target": None}
    assert failures(bare | {"actions": [silent], "expect": {"error": "cannot_pass"}}) == []


def test_every_option_has_a_position_that_departs_from_its_default() -> None:
    from games.rules import OPTIONS

    tried = {
        (position.values[0]["game"], name, value)
        for position in positions()
        for name, value in position.values[0]["options"].items()
    }
    decided_elsewhere = {"max_timeouts", "absent_seat", "first_player", "jokers", "deck"}
    missing = [
        (variant, name, value)
        for variant, kind in OPTIONS.items()
        for name, values in kind.choices().items()
        for value in values
        if name not in decided_elsewhere | {"hand_size", "mau_penalty"}
        and value != kind().to_json()[name]
        and (variant, name, value) not in tried
    ]
    assert missing == []

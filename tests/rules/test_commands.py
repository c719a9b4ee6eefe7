"""The commands that run on the rules alone: no test here may touch the database."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.management.commands import simulate

GIVEN = Path(__file__).parent / "cases" / "given.jsonl"


def simulated(**more: Any) -> list[dict[str, Any]]:
    """Records of a few games."""
    wanted = {"game": "maumau", "seats": 3, "games": 3, "seed": 7} | more
    out = StringIO()
    call_command("simulate", stdout=out, **wanted)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def written(path: Path, records: list[Any]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_rules_cases_says_ok_for_each_position_and_counts_last() -> None:
    out = StringIO()
    call_command("rules_cases", str(GIVEN), str(GIVEN), stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0] == "ok MT001"
    assert len(lines) == 121
    assert lines[-1] == "120 positions: 120 ok, 0 failed"


def test_rules_cases_fails_on_a_wrong_or_unreadable_position(tmp_path: Path) -> None:
    position = json.loads(GIVEN.read_text().splitlines()[0])
    wrong = position | {"id": "WRONG", "expect": {"turn": 1}}
    broken = position | {"id": "BROKEN", "top": "5H"}
    out = StringIO()
    file = written(tmp_path / "cases.jsonl", [position, wrong, broken, 7])
    with pytest.raises(SystemExit) as ended:
        call_command("rules_cases", file, stdout=out)
    assert ended.value.code == 1
    assert out.getvalue().splitlines() == [
        "ok MT001",
        "FAIL WRONG turn: expected 1, got 0",
        "FAIL BROKEN not a position: ValueError: a card is there twice",
        "FAIL 4 not a position: TypeError: 'int' object is not subscriptable",
        "4 positions: 1 ok, 3 failed",
    ]


def test_rules_cases_refuses_a_file_it_cannot_read(tmp_path: Path) -> None:
    for file in (tmp_path / "nothing", tmp_path):
        with pytest.raises(CommandError) as refused:
            call_command("rules_cases", str(file))
        assert refused.value.returncode == 2


@pytest.mark.parametrize("game", ["matatu", "maumau"])
def test_the_same_seed_gives_the_same_records_and_they_hold(game: str, tmp_path: Path) -> None:
    records = simulated(game=game)
    assert records == simulated(game=game)
    assert records != simulated(game=game, seed=8)
    out = StringIO()
    call_command("verify_record", written(tmp_path / "records", records), stdout=out)
    assert out.getvalue().splitlines()[-1] == "3 records: all hold"


def test_records_of_simulated_games_have_no_times() -> None:
    (record,) = simulated(games=1)
    assert not {"started", "finished", "pace", "rated"} & set(record)
    assert not any("at" in row for row in record["moves"])
    assert record["round"] == 1
    assert {row["do"] for row in record["moves"]} >= {"play", "draw", "mau", "accuse"}


def test_levels_options_and_presets_are_played_as_asked() -> None:
    (record,) = simulated(
        games=1, bots="random,easy,easy", preset="deutsch", options='{"mau": "off", "deck": 52}'
    )
    assert [seat["level"] for seat in record["seats"]] == ["random", "easy", "easy"]
    assert record["options"]["ace_cover"] is False
    assert (record["options"]["mau"], record["options"]["deck"]) == ("off", 52)
    assert all(row["do"] not in ("mau", "accuse") for row in record["moves"])


def test_records_go_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    call_command("simulate", game="matatu", seats=2, games=2, seed=1, out=file)
    assert len(file.read_text().splitlines()) == 2


def test_a_game_that_does_not_end_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "MOST_MOVES", 10)
    (record,) = simulated(games=1)
    assert len(record["moves"]) == 10
    assert record["result"] == {"reason": "abandoned", "places": []}


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": 1},
        {"seats": 6},
        {"games": -1},
        {"bots": "clever"},
        {"bots": "easy,easy"},
        {"options": "{"},
        {"options": "[]"},
        {"options": '{"mau": 1}'},
        {"options": '{"hand_size": 7}', "seats": 4},
        {"preset": "rwanda"},
        {"out": Path("/nonexistent/file")},
    ],
)
def test_simulate_refuses_arguments_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(CommandError) as refused:
        simulated(**wrong)
    assert refused.value.returncode == 2


def test_verify_record_reads_a_single_document_too(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(simulated(games=1)[0], indent=2))
    call_command("verify_record", str(file), stdout=StringIO())


def test_verify_record_stops_at_the_first_record_that_fails(tmp_path: Path) -> None:
    records = simulated()
    records[1]["moves"][3]["seat"] += 1
    out = StringIO()
    with pytest.raises(CommandError, match=r"record 2 \(simulate-7-2\)") as refused:
        call_command("verify_record", written(tmp_path / "records", records), stdout=out)
    assert refused.value.returncode == 1
    assert out.getvalue().splitlines() == ["ok simulate-7-1"]


@pytest.mark.parametrize("text", ["", "{", "not JSON\n{}", "7"])
def test_verify_record_refuses_what_is_no_record(text: str, tmp_path: Path) -> None:
    file = tmp_path / "record"
    file.write_text(text)
    with pytest.raises(CommandError):
        call_command("verify_record", str(file))

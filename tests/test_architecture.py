"""The house rules of docs/architecture.md that a machine can hold."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
OURS = ("accounts", "config", "games", "tests")
NAMES_THAT_SAY_NOTHING = {
    "utils",
    "util",
    "helpers",
    "common",
    "managers",
    "serializers",
    "signals",
}


def tracked_files() -> list[Path]:
    """The files of the project, as git has them or would add them."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [CHECKOUT / line for line in listing.splitlines() if (CHECKOUT / line).is_file()]


def sources(*packages: str) -> Iterator[tuple[Path, ast.Module]]:
    """The Python files of these packages, parsed; each by its path in the checkout."""
    for package in packages:
        for path in sorted((CHECKOUT / package).rglob("*.py")):
            yield path.relative_to(CHECKOUT), ast.parse(path.read_text(), str(path))


def imported_names(tree: ast.Module) -> Iterator[str]:
    """The full name of everything that is imported: ``django.utils.translation.gettext``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_go_only_where_the_contracts_allow() -> None:
    run = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def says(word: str, tree: ast.Module) -> bool:
    """Whether a name or an attribute of that name is used or imported."""
    used = (
        getattr(node, "attr", getattr(node, "id", getattr(node, "name", None)))
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name | ast.alias)
    )
    return word in used


def test_only_services_announce() -> None:
    speakers = {path for path, tree in sources("accounts", "games") if says("announce", tree)}
    inside = {path for path in speakers if path.parts[:2] == ("games", "services")}
    assert inside, "nobody announces: has the function been renamed?"
    assert speakers - inside <= {Path("games/broadcast.py")}


def test_services_speak_no_language() -> None:
    speakers = [
        str(path)
        for path, tree in sources("games/services")
        if any(name.startswith("django.utils.translation") for name in imported_names(tree))
    ]
    assert speakers == []


def test_bots_draw_chance_only_from_what_they_are_given() -> None:
    """``random.Random`` is the type of what they get; the module's own functions are banned."""
    drawn = [
        f"{path}:{node.lineno}: random.{node.attr}"
        for path, tree in sources("games/bots")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "random"
        and node.attr != "Random"
    ]
    imported = [
        f"{path}: {name}"
        for path, tree in sources("games/bots")
        for name in imported_names(tree)
        if name.startswith("random.") and name != "random.Random"
    ]
    assert drawn + imported == []


def test_every_module_has_a_name_that_says_something() -> None:
    empty = [
        str(path)
        for path, _ in sources(*OURS)
        if {*path.with_suffix("").parts} & NAMES_THAT_SAY_NOTHING
    ]
    assert empty == []


# Each is put together here, so that this file does not hold it.
FOREIGN = {
    "a path of somebody's machine": re.compile(r"/(?:root|home/\w+|Users/\w+)/" + r"(?!\.\.)"),
    "an address of a package registry": re.compile(
        "|".join(re.escape(name + end) for name, end in [
            ("pypi", ".org"), ("pythonhosted", ".org"), ("npmjs", ".org"), ("npmjs", ".com"),
            ("deb.debian", ".org"), ("registry.yarnpkg", ".com"),
        ])
    ),
    "an option that names an index": re.compile("--(?:extra-)?index" + "-url|--find" + "-links"),
}  # fmt: skip


@pytest.mark.parametrize("what", FOREIGN)
def test_no_tracked_file_names(what: str) -> None:
    found = []
    for path in tracked_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found += [
            f"{path.relative_to(CHECKOUT)}:{number}"
            for number, line in enumerate(text.splitlines(), 1)
            if FOREIGN[what].search(line)
        ]
    assert found == []


def test_requirements_are_compiled_from_the_project_file() -> None:
    """Every direct dependency is pinned, with a hash."""
    import tomllib

    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    for group, file in (
        (project["project"]["dependencies"], "base.txt"),
        (project["dependency-groups"]["local"], "dev.txt"),
        (project["dependency-groups"]["dev"], "dev.txt"),
    ):
        text = (CHECKOUT / "requirements" / file).read_text()
        pinned = set(re.findall(r"^([a-z0-9-]+)==\S+.*\\\n +--hash=sha256:", text, re.MULTILINE))
        named = {re.split(r"[\[<>=~ ]", each)[0].lower() for each in group if isinstance(each, str)}
        assert named <= pinned, f"make requirements: {named - pinned}"


def test_settings_are_safe_when_nothing_is_set() -> None:
    """A production site that forgot a variable refuses to start or is closed, never open."""
    environment = {"PATH": os.environ["PATH"], "SECRET_KEY": "x" * 50}
    program = (
        "from config import settings as s;"
        "print(s.DEBUG, s.ALLOWED_HOSTS, s.SESSION_COOKIE_SECURE, s.SECURE_SSL_REDIRECT);"
        "print(s.TEST_CLOCK)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.split() == ["False", "[]", "True", "True", "False"]


def test_the_table_of_scenarios_names_the_tests_that_hold_them() -> None:
    """Each test that docs/scenarios.md names exists; each with a scenario's id is named there."""
    table = (CHECKOUT / "docs" / "scenarios.md").read_text()
    named = set(re.findall(r"`(tests/[\w/]+\.py::test_\w+)`", table))
    there = {
        f"{path}::{node.name}"
        for path, tree in sources("tests")
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert named - there == set()
    assert {test for test in there if re.search(r"::test_b\d\d_", test)} - named == set()
    rows = re.findall(r"^\| (B\d\d) \|", table, re.MULTILINE)
    assert rows == sorted(set(rows))

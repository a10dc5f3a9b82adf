"""The house itself: what every file, package, lock and page of Dormie must hold to."""

import ast
import doctest
import importlib
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGES: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
LOCKS = ("requirements.lock", "requirements-dev.lock")
WORDS = ("help", "run", "test", "test-all", "check", "docs", "bench", "lock")
MADE_HERE = {".git", ".hypothesis", ".venv", "__pycache__", "build", "dist", "node_modules"}

# Built from parts, so that this file may look for them and still not name them.
HOSTS = tuple(
    "".join(parts)
    for parts in (
        ("py", "pi.org"),
        ("python", "hosted.org"),
        ("npm", "js.org"),
        ("npm", "js.com"),
        ("yarn", "pkg.com"),
        ("npm", "mirror.com"),
        ("ana", "conda.org"),
        ("crates", ".io"),
    )
)


def our_files() -> list[Path]:
    """Every file that is, or is about to be, part of the repository."""
    ask = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        answer = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):  # no git, or an unpacked archive
        return [path for path in ROOT.rglob("*") if path.is_file() and not made_here(path)]
    paths = [ROOT / name for name in answer.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def made_here(path: Path) -> bool:
    folders = path.relative_to(ROOT).parts
    return not MADE_HERE.isdisjoint(folders) or any(part.endswith("_cache") for part in folders)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def pages() -> list[Path]:
    return sorted(path for path in our_files() if path.suffix == ".md")


def library(requirement: str) -> str:
    """The name at the start of a requirement, as the locks spell it."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def test_no_file_says_where_libraries_are_fetched() -> None:
    texts = {name(path): path.read_bytes().lower() for path in our_files()}
    offenders = [
        (where, host) for where, text in texts.items() for host in HOSTS if host.encode() in text
    ]

    assert [] == offenders


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_versions_and_hashes_and_no_address(lock: str) -> None:
    lines = (ROOT / lock).read_text("utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("#")]

    assert [] == [line for line in lines if "://" in line or line.startswith("--")]
    assert [] == [line for line in lines if "==" not in line and "--hash=sha256:" not in line]


@pytest.mark.parametrize(
    ("lock", "requirements"),
    [
        ("requirements.lock", PROJECT["project"]["dependencies"]),
        ("requirements-dev.lock", PROJECT["project"]["dependencies"]),
        ("requirements-dev.lock", PROJECT["dependency-groups"]["dev"]),
    ],
    ids=["to run", "to run while developing", "to develop"],
)
def test_a_lock_has_every_library_that_is_asked_for(lock: str, requirements: list[str]) -> None:
    locked = re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text("utf-8"), re.MULTILINE)

    assert set() == {library(requirement) for requirement in requirements} - set(locked)


def test_both_locks_agree() -> None:
    run, dev = (
        set(re.findall(r"^\S+==\S+", (ROOT / lock).read_text("utf-8"), re.MULTILINE))
        for lock in LOCKS
    )

    assert set() == run - dev


def test_every_dependency_has_its_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    asked = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]

    assert [] == [wish for wish in asked if f"| `{library(wish)}` |" not in page]


def test_every_package_is_shipped_and_guarded() -> None:
    """A package that is forgotten here works at home and is missing from the wheel."""
    found = {
        name(path.parent)
        for path in our_files()
        if path.name == "__init__.py" and path.parent.name.startswith("dormie_")
    }
    guarded = set(PROJECT["tool"]["importlinter"]["root_packages"])

    assert found == set(PACKAGES)
    assert {Path(package).name for package in PACKAGES} == guarded


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_typed_and_says_what_it_is_for(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
    assert importlib.import_module(Path(package).name).__doc__


def test_the_rules_but_for_the_solver_need_only_the_standard_library() -> None:
    imported = set()
    for path in (ROOT / "rules").rglob("*.py"):
        if path.name == "solver.py":
            continue  # its passes are numpy's, and nothing else may ask for it
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.split(".")[0])

    assert set() == imported - set(sys.stdlib_module_names) - {"dormie_rules"}


@pytest.mark.parametrize("word", WORDS)
def test_the_makefile_knows_the_word_and_says_what_it_does(word: str) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")

    assert re.search(rf"^{word}:.*## \S", makefile, re.MULTILINE)


@pytest.mark.parametrize("words", ["make run", "make test"])
def test_the_readme_says_how_to_begin(words: str) -> None:
    assert words in (ROOT / "README.md").read_text("utf-8")


def test_what_is_installed_is_what_is_here() -> None:
    assert PROJECT["project"]["version"] == version("dormie")


def test_the_changelog_has_a_place_for_the_next_line() -> None:
    headings = re.findall(
        r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )

    assert "Unreleased" == headings[0]
    assert headings[1:2] in ([], [PROJECT["project"]["version"]])


def test_the_whole_check_can_be_started() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@pytest.mark.parametrize("page", pages(), ids=name)
def test_a_link_in_the_docs_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [link for link in links if link and "://" not in link and "mailto:" not in link]

    assert [] == [link for link in local if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", pages(), ids=name)
def test_an_example_in_the_docs_runs(page: Path) -> None:
    """The examples of a page are one conversation: what one says, the next remembers."""
    fences = re.findall(r"^```pycon\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    story = doctest.DocTestParser().get_doctest("\n".join(fences), {}, name(page), str(page), 0)
    complaints: list[str] = []
    doctest.DocTestRunner(verbose=False).run(story, out=complaints.append)

    assert [] == complaints


@pytest.mark.parametrize("page", pages(), ids=name)
def test_a_session_in_the_docs_is_marked_as_one(page: Path) -> None:
    """An example that is not executed is a comment that may lie."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)

    assert [] == [code for mark, code in fences if ">>> " in code and mark != "pycon"]

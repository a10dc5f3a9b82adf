"""The pages that a person reads name what there is, and nothing that is not."""

import re
from pathlib import Path

from dormie_server.config import Settings

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\]\(([^)#:\s]+)\)")


def test_every_setting_is_explained() -> None:
    page = (ROOT / "docs" / "operate.md").read_text("utf-8")

    assert [] == [name for name in Settings.model_fields if f"`{name}`" not in page]


def test_every_page_is_named_by_the_first_one() -> None:
    """Who looks for something begins at README.md."""
    named = set(LINK.findall((ROOT / "README.md").read_text("utf-8")))
    pages = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}

    assert set() == pages - named


def test_the_changes_are_told_once_each() -> None:
    """Lines that were written at the same time are easily joined twice."""
    page = (ROOT / "CHANGELOG.md").read_text("utf-8")
    entries = [" ".join(entry.split()) for entry in page.split("\n- ")[1:]]
    headings = [line for line in page.splitlines() if line.startswith("### ")]

    assert [] == [entry for entry in set(entries) if entries.count(entry) > 1]
    assert len(headings) == len(set(headings)) or "## [0" in page


def test_no_page_points_to_a_file_that_is_not_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    missing = [
        f"{page.name}: {target}"
        for page in pages
        for target in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]

    assert [] == missing

"""The pages that a person reads name what there is, and nothing that is not."""

import re
from pathlib import Path

from dormie_server.config import Settings

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\]\(([^)#:\s]+)\)")


def test_every_setting_is_explained() -> None:
    page = (ROOT / "docs" / "operate.md").read_text("utf-8")

    assert [] == [name for name in Settings.model_fields if f"`{name}`" not in page]


def test_no_page_points_to_a_file_that_is_not_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    missing = [
        f"{page.name}: {target}"
        for page in pages
        for target in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]

    assert [] == missing

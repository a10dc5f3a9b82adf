"""Texts that must not change by accident: each is kept in a file, and read again at every test.

After a change that is meant, `GOLDEN=write make test` writes the files again, and the difference is
part of what is reviewed.
"""

import os
from pathlib import Path


def unchanged(kept: Path, text: str) -> None:
    """Fail unless *text* is what *kept* holds."""
    if os.environ.get("GOLDEN") == "write":
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(text, "utf-8")

    assert kept.read_text("utf-8") == text, "if this is meant: GOLDEN=write make test"

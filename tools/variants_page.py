"""Write the list of variants in docs/variants.md again, or check that it is up to date (--check)."""

import sys
from pathlib import Path

from dormie_rules.grid_rules import GridRules
from dormie_rules.patience_routes import served
from dormie_rules.patience_variant import PatienceVariant
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.variant import Variant
from dormie_rules.variants import find, names

PAGE = Path(__file__).parent.parent / "docs" / "variants.md"
PATIENCES = "## Golf Patience and its relatives"
BEGIN, END = "<!-- variants: begin -->", "<!-- variants: end -->"


def main(argv: list[str]) -> int:
    """0, or 1 when the page is out of date and only to be checked."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    grids = [chapter(find(name)) for name in names()]
    patiences = [patience_chapter(find_patience(name)) for name in patience_names()]
    chapters = "\n\n".join([*grids, PATIENCES, *patiences])
    page = f"{before}{BEGIN}\n\n{chapters}\n\n{END}{after}"
    if page == PAGE.read_text("utf-8"):
        return 0
    if "--check" in argv:
        print("docs/variants.md is out of date: run make docs", file=sys.stderr)
        return 1
    PAGE.write_text(page, "utf-8")
    return 0


def chapter(variant: Variant) -> str:
    """What the page says about one variant: its rules for people, and its numbers."""
    shapes = ", ".join(f"{rows}x{cols}" for rows, cols in variant.shapes)
    return (
        f"### `{variant.name}`\n\n{variant.text}\n\n"
        f"| shapes | players | first up | flip | final lap | closer pays | jokers | ends |\n"
        f"|---|---|---|---|---|---|---|---|\n"
        f"| {shapes} | {variant.min_seats}-{variant.max_seats} | {_numbers(variant.rules)} |"
    )


def patience_chapter(variant: PatienceVariant) -> str:
    """The same for a variant of the patience, with how a solver serves it."""
    rules = variant.opened
    shape = f"{rules.columns} x {rules.per_column}" if rules.layout == "columns" else rules.layout
    return (
        f"### `{variant.name}`\n\n{variant.text}\n\n"
        f"| tableau | Kings | stock | jokers | deals | undo | holes | solver |\n"
        f"|---|---|---|---|---|---|---|---|\n"
        f"| {shape} | {rules.king_rule} | {rules.stock} | {rules.jokers} | {rules.deal_policy} "
        f"| {rules.undo} | {rules.holes} | {served(rules)} |"
    )


def _numbers(rules: GridRules) -> str:
    end = f"{rules.holes} holes" if rules.end == "holes" else f"{rules.end} at {rules.limit}"
    cells = (
        rules.initial_face_up,
        rules.flip_after_discard,
        rules.final_lap,
        rules.closer_penalty,
        rules.jokers_per_deck,
        end,
    )
    return " | ".join(map(str, cells))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What a variant of Golf Patience is: a name, its rules in numbers, and what other houses call it."""

from collections.abc import Mapping
from dataclasses import dataclass

from dormie_rules.patience_rules import MAX_RACE_SEATS, KingRule, PatienceRules


@dataclass(frozen=True, slots=True)
class PatienceVariant:
    """One way to play alone or in a race, as its file in ``dormie_rules/patience_variants`` declares it.

    The file's name is the variant's name and its docstring the rules for people.
    """

    rules: PatienceRules
    preset: str
    """What lists of presets call it, too short to be a name beside other games; relatives have none."""
    min_seats: int = 1
    max_seats: int = MAX_RACE_SEATS
    name: str = ""
    """Filled in by the finder, from the file's name."""
    text: str = ""
    """The rules for people, likewise, without the examples that only programs need."""


ELSEWHERE: Mapping[str, KingRule] = {
    "PySolFC Golf": "queen",
    "PySolFC Dead King Golf": "strict",
    "PySolFC Relaxed Golf / Putt Putt": "wrap",
    "KPatience Golf": "queen",
    "GNOME AisleRiot Golf": "strict",
    "Wikipedia Golf (patience)": "strict",
    "Cards4 Golf": "strict",
    "Cards4 'assouplie' / S0 'Dames sur Rois'": "queen",
    "GameLake Facile": "wrap",
    "GameLake Moyen, Du jour": "queen",
    "GameLake Difficile": "strict",
    "Astraware default": "wrap",
    "Casteel iKlondike with Strict Rules off": "wrap",
    "solitairebliss Golf": "queen",
    "solitairebliss Easy Golf": "wrap",
}
"""Which rule for Kings hides behind the names that others use; "relaxed" alone means two of them."""

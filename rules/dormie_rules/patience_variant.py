"""What a variant of Golf Patience is: a name, its rules in numbers, and what other houses call it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dormie_rules.patience_rules import MAX_RACE_SEATS, DealPolicy, KingRule, PatienceRules
from dormie_rules.values import replace


@dataclass(frozen=True, slots=True)
class PatienceVariant:
    """One way to play alone or in a race, as its file in ``dormie_rules/patience_variants`` declares it.

    The file's name is the variant's name and its docstring the rules for people.
    """

    rules: PatienceRules
    """Its numbers. They never change once it has been played, because a record does not repeat them."""
    preset: str
    """What lists of presets call it, too short to be a name beside other games; relatives have none."""
    level_deals: DealPolicy | None = None
    """The deals of a solo level: the ``deal_policy`` that a new table has if its host chooses none."""
    min_seats: int = 1
    max_seats: int = MAX_RACE_SEATS
    name: str = ""
    """Filled in by the finder, from the file's name."""
    text: str = ""
    """The rules for people, likewise, without the examples that only programs need."""

    @property
    def opened(self) -> PatienceRules:
        """The rules of a new table whose host chooses nothing."""
        return replace(self.rules, deal_policy=self.level_deals or self.rules.deal_policy)

    def opening_options(self, options: Mapping[str, object]) -> dict[str, Any]:
        """The options of a new table whose host has chosen these; its record will name the level's deals.

        >>> level = PatienceVariant(PatienceRules("wrap"), "", level_deals="gentle")
        >>> level.opening_options({"holes": 1}), level.opening_options({"deal_policy": "random"})
        ({'deal_policy': 'gentle', 'holes': 1}, {'deal_policy': 'random'})
        """
        level = {} if self.level_deals is None else {"deal_policy": self.level_deals}
        return {**level, **options}


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

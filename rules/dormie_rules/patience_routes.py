"""Which solver answers for which game: a pass over columns, a pass over a graph, a search, or none."""

from typing import Literal

from dormie_rules.patience_graph import graph_fits_in_a_pass, solve_graph
from dormie_rules.patience_lattice import MAX_TABLEAUS, fits_in_a_pass
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_search import search
from dormie_rules.patience_solution import Solution, not_served


def served(rules: PatienceRules) -> Literal["exact", "budget", "none"]:
    """How deals under *rules* are answered for: exactly, within a budget, or not at all.

    >>> served(PatienceRules()), served(PatienceRules(draw_with_moves=False)), served(PatienceRules(build="up"))
    ('exact', 'budget', 'none')
    """
    if rules.build != "either":
        return "none"
    small = (rules.per_column + 1) ** rules.columns <= MAX_TABLEAUS
    exact = graph_fits_in_a_pass(rules) or (rules.golf and small and rules.draw_with_moves)
    return "exact" if exact else "budget"


def solve_otherwise(rules: PatienceRules, position: Position, budget: int) -> Solution | None:
    """The answer about what a pass over columns does not answer for; None about what it does."""
    if rules.build != "either":
        return not_served(position)
    if graph_fits_in_a_pass(rules):
        return solve_graph(rules, position)
    return None if fits_in_a_pass(rules, position) else search(rules, position, budget)

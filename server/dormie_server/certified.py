"""Which deal of a hole is taken where the first is not always good enough (option ``deal_policy``)."""

from dormie_rules.patience_deals import certify
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_solution import Verdict
from dormie_rules.solver import solve
from dormie_server.table import fair
from dormie_server.table.commands import DealHole
from dormie_server.table.state import Table, match_of
from dormie_server.worker import Worker


def needs_a_look(table: Table) -> bool:
    """Whether a deal has to be looked at before it is taken."""
    rules = table.about.rules
    return isinstance(rules, PatienceRules) and rules.deal_policy != "random"


async def certified_deal(table: Table, worker: Worker) -> DealHole:
    """The next hole of *table*, the first attempt that its policy lets through; solved by *worker*.

    Raises Busy, and NoDeal for rules under which no deal is good enough.
    """
    rules = table.about.rules
    assert isinstance(rules, PatienceRules), "asked only where needs_a_look"
    hole = match_of(table).public.hole + 1
    seed = fair.seed_of(table, hole)
    if rules.deal_policy == "not_hopeless":  # a glance is enough
        attempt = certify(rules, seed, _unknown).attempt
    else:
        attempt = await worker.run(attempt_of, rules, seed)
    return fair.deal_of(table, hole, attempt)


def attempt_of(rules: PatienceRules, seed: bytes) -> int:
    """The number of the first attempt that the policy lets through; takes some milliseconds an attempt.

    On average it is found within a tenth of a second, and within a second where hardly any deal is as it
    should be (``docs/par.md``).
    """
    return certify(rules, seed, _solved).attempt


def _solved(rules: PatienceRules, position: Position) -> Verdict:
    return solve(rules, position).verdict


def _unknown(_rules: PatienceRules, _position: Position) -> Verdict:
    return "unknown"

"""Opening a table."""

from dormie_protocol.table_view import About, Fairness, Joined, Opened, Seat, TablePublic
from dormie_rules.drawers import State
from dormie_rules.scoring_options import BadRules
from dormie_server.table import fair, matches, seats
from dormie_server.table.clock_choice import patience, usual_clock
from dormie_server.table.commands import Opening
from dormie_server.table.draft import Change, Draft
from dormie_server.table.games import GAMES, kind_with
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy, Sitter, Table, TableSecret


def open_table(opening: Opening, policy: Policy, now: float) -> Change:
    """A new table with its host in the first seat. Raises No, with the field, for options that cannot be had."""
    try:
        kind = kind_with(opening.variant)
        options = kind.options(opening.variant, opening.options)
        rules = kind.choose(opening.variant, options, opening.size)
    except KeyError:
        raise No("bad_option", "There is no variant of this name.", "variant") from None
    except BadRules as bad:
        raise No("bad_option", f"{bad.field}: {bad}", bad.field) from None
    if len(opening.bots) >= opening.size:
        raise No("bad_option", "There must be fewer bots than seats.", "bots")
    if opening.undo and kind.game != "grid":
        raise No("bad_option", "Here the option undo of the game says it all.", "undo")
    why = _why_not_given(opening, kind.game)
    if why:
        raise No("bad_option", why, "practice")
    about = About(
        opening.code,
        kind.game,
        opening.variant,
        options,
        rules,
        opening.size,
        opening.turn_seconds,
        password=opening.key is not None,
        listed=opening.listed,
        clock=opening.clock or usual_clock(opening.turn_seconds),
        chat=opening.chat,
        spectators=opening.spectators,
        undo=opening.undo,
        given=opening.given,
    )
    if opening.given is None or opening.given.until is None:  # else the day says how long
        policy = patience(policy, about.clock, opening.size)
    draft = Draft(_empty(opening, about, policy, now), now)
    draft.tell(Opened(opening.variant, draft.table.fairness.commitment))
    draft.sit(0, Seat(opening.name, here=False), Sitter(opening.player))
    draft.public(host=0)
    draft.tell(Joined(0, opening.name))
    for level in opening.bots:
        seats.seat_bot(draft, level)
    if opening.given is not None:  # there is no luck to be added to, and nobody to wait for
        matches.begin(draft)
    return draft.done(0)


def _why_not_given(opening: Opening, game: str) -> str | None:
    """What is wrong with a table for a deal that is there already, in a sentence, or None."""
    if opening.given is None or (game == "patience" and opening.size == 1):
        return None
    return "A hole that has a number is played alone, at Golf Patience."


def _promise(opening: Opening) -> str:
    """What the deal of a day was promised by; nothing at other tables."""
    return opening.given.promise if opening.given else ""


def _empty(opening: Opening, about: About, policy: Policy, now: float) -> Table:
    nobody = (None,) * opening.size
    return Table(
        version=0,
        about=about,
        fairness=Fairness(_promise(opening) or fair.commitment(opening.master, 1)),
        state=State(
            TablePublic("lobby", nobody, None, now + policy.lobby),
            (GAMES[about.game].nothing,) * opening.size,
            TableSecret(
                master=opening.master,
                founder=opening.player,
                sitters=nobody,
                policy=policy,
                last_human=now,
                contributions=nobody,
                wish=opening.wish,
                salt=opening.salt,
                key=opening.key,
                opened=now,
                quick=opening.quick,
            ),
        ),
    )

"""A match at a table: dealing holes, making moves, and what follows when a hole is over."""

from dormie_protocol.games import Move
from dormie_protocol.table_view import (
    BecameReady,
    LinkShown,
    MatchBegan,
    Starting,
    TimeOut,
)
from dormie_rules import record
from dormie_rules.drawers import look
from dormie_rules.game import Deal, IllegalMove, Step, act
from dormie_rules.race_record import time_line
from dormie_rules.values import replace
from dormie_server.table import fair, undoing
from dormie_server.table.clock import bot_time, paused, turn_in, turn_of, waiting_bot
from dormie_server.table.commands import DealHole, Ready
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.running import begin_turn, end_turn
from dormie_server.table.seats import close_ranks
from dormie_server.table.state import (
    course_of,
    kind_of,
    least,
    match_of,
    people_here,
    taken,
)


def ready(draft: Draft, seat: int, request: Ready) -> None:
    """*seat* is ready: its first contribution to luck counts, and the last one to be ready starts things."""
    who = draft.table.public.seats[seat]
    assert who is not None, "whoever is ready sits there"
    given = draft.table.secret.contributions
    if draft.table.public.phase != "between" and request.entropy and given[seat] is None:
        draft.secret(contributions=(*given[:seat], request.entropy, *given[seat + 1 :]))
    if not who.ready:
        draft.seat(seat, ready=True)
        draft.tell(BecameReady(seat))
    go_on_if_ready(draft)


def go_on_if_ready(draft: Draft) -> None:
    """Start the match, or go on to the next hole, once everybody concerned is ready."""
    public = draft.table.public
    seats = [public.seats[seat] for seat in taken(draft.table)]
    if public.phase == "between":
        here = people_here(draft.table)
        if (
            not paused(draft.table)
            and here
            and all(seat.ready for s in here if (seat := public.seats[s]))
        ):
            draft.public(deadline=draft.now)
        return
    full = len(seats) == len(public.seats) or public.phase == "starting"
    if not full or len(seats) < least(draft.table):
        return
    if all(seat and seat.ready for seat in seats):
        begin(draft)
    elif draft.table.secret.quick and public.phase == "lobby":
        call(draft)


def call(draft: Draft) -> None:
    """Ask everybody to be ready, within a few seconds."""
    draft.public(phase="starting", deadline=draft.now + draft.table.secret.policy.gather)
    draft.tell(Starting(draft.table.about.match, draft.table.fairness.commitment))


def begin(draft: Draft) -> None:
    """Begin the match: from here on the contributions are fixed and known."""
    close_ranks(draft)
    given = draft.table.secret.contributions
    fairness = replace(draft.table.fairness, contributions=given)
    draft.match(draft.table.about, fairness)
    dealer = draft.table.secret.dealer
    match = course_of(draft.table).start(dealer)
    draft.public(phase="playing", deadline=None, match=match.public, clocks=None)
    draft.secret(hole=None, began=draft.before.version + 1, turn=None, bot_for=None, bot_at=None)
    draft.secret(cast=tuple(sitter and sitter.player for sitter in draft.table.secret.sitters))
    draft.pockets(match.pockets)
    draft.tell(MatchBegan(given))
    draft.note(*_head(draft))


def deal(draft: Draft, command: DealHole) -> None:
    """Deal the next hole; the keeper brings the luck."""
    draft.public(
        phase="playing",
        deadline=None,
        seats=tuple(s and replace(s, ready=s.bot is not None) for s in draft.table.public.seats),
    )
    draft.note(record.hole_line(command.hole))
    course, match = course_of(draft.table), match_of(draft.table)
    step = course.deal(match, Deal(command.pack, command.luck, command.attempt))
    if command.hole == 1:
        draft.secret(opener=getattr(step.state.public, "dealer", None))  # a race has none
    draft.play(step)
    settle(draft)


def make_move(draft: Draft, seat: int, move: Move, *, auto: bool = False) -> None:
    """Make a move for *seat*. Raises No with the rules' own word when it is not legal."""
    course, before = course_of(draft.table), match_of(draft.table)
    try:
        step = act(course, before, seat, move)
    except IllegalMove as illegal:
        raise No(illegal.word) from None
    who = draft.table.public.seats[seat]
    assert who is not None, "whoever moves sits there"
    draft.seat(seat, count=who.count + 1)
    draft.sitter(seat, last_move=move, last_version=draft.before.version + 1)
    draft.note(f"{'auto' if auto else 'move'} {seat + 1} {kind_of(draft.before).written(move)}")
    if draft.before.about.undo:
        undoing.remember(draft, step, None if auto else (before, seat, move))
    else:
        draft.play(step)
    settle(draft)


def time_out(draft: Draft, *, leaving: bool = False) -> None:
    """Make the default moves of whoever the table waits for, until this turn is over (rule A8).

    Where a hole has a time of its own it ends as it stands, also for somebody who is *leaving* it.
    """
    turn = turn_of(draft.table)
    course = course_of(draft.table)
    time_up = kind_of(draft.table).time_up
    if turn is not None and time_up is not None:
        draft.note(time_line(turn[0]))
        step = time_up(course, match_of(draft.table))
        # The first event says that time is up, which is not why it ends for whoever leaves.
        draft.play(Step(step.state, step.events[1:]) if leaving else step)
        settle(draft)
        return
    told: set[int] = set()
    while turn is not None and turn_of(draft.table) == turn:
        waiting = course.waiting_for(match_of(draft.table))
        seat = waiting[0]
        if seat not in told:
            told.add(seat)
            draft.tell(TimeOut(seat))
        move = course.default(look(match_of(draft.table), seat))
        make_move(draft, seat, move, auto=True)


def settle(draft: Draft) -> None:
    """After anything in the match: set the clock, or look after a hole or a match that is over."""
    match, phase = draft.shown("match"), draft.shown("phase")
    if match is None or phase not in ("playing", "between"):
        return
    if match.places:
        _over(draft)
    elif phase == "between":
        go_on_if_ready(draft)
    elif match.play is not None and match.play.stage == "over":
        _hole_over(draft)
        _pause(draft)
    else:
        _set_clock(draft)


def _set_clock(draft: Draft) -> None:
    turn = turn_in(draft.shown("phase"), draft.shown("match"))
    if turn != draft.locked("turn"):
        begin_turn(draft, turn)
    if draft.locked("bot_at") is not None or _may_have_bots(draft):
        _let_bot_think(draft)


def _may_have_bots(draft: Draft) -> bool:
    """Whether a bot may have to think: one with a seat of its own, or one that sits in."""
    return draft.shown("clocks") is not None or any(s and s.bot for s in draft.shown("seats"))


def _let_bot_think(draft: Draft) -> None:
    """Note when the bot that is waited for has thought enough; whatever else happens, it goes on thinking."""
    table = draft.table
    seat = waiting_bot(table)
    who = table.public.seats[seat] if seat is not None else None
    thinker = None if seat is None or who is None else (seat, who.count)
    if thinker != table.secret.bot_for or (thinker is None and table.secret.bot_at is not None):
        draft.secret(bot_for=thinker, bot_at=bot_time(table, draft.now))


def _hole_over(draft: Draft) -> None:
    """Show the link the hole was dealt from, and write its result into the record."""
    table, match = draft.table, match_of(draft.table).public
    if table.about.given is not None:  # the table's own luck has dealt nothing
        return
    link = fair.link(table.secret.master, table.about.match, match.hole)
    draft.tell(LinkShown(match.hole, link.hex()))
    pack = fair.deal_of(table, match.hole, kind_of(table).attempt(match)).pack
    draft.note(record.link_line(match.hole, link), record.pack_line(match.hole, pack))
    draft.note(*kind_of(table).results(match))


def _pause(draft: Draft) -> None:
    """Let people look at the finished hole; where nobody looks, go on at once."""
    end_turn(draft)
    draft.unready()
    pause = draft.table.secret.policy.pause if people_here(draft.table) else 0.0
    draft.public(phase="between", deadline=draft.now + pause)
    draft.secret(turn=None, bot_at=None)


def _over(draft: Draft) -> None:
    match = draft.table.public.match
    assert match is not None, "a match that is over was on"
    if draft.table.public.phase == "playing" and match.hole:
        _hole_over(draft)
    draft.note(record.places_line(match.places))
    draft.unready()
    draft.public(phase="over", deadline=draft.now + draft.table.secret.policy.lobby, clocks=None)
    given, began = draft.table.about.given, draft.table.secret.began
    owed = None if given and given.day is None else (draft.table.about.match, began)
    draft.secret(turn=None, bot_at=None, owes_record=owed)  # practice leaves nothing behind


def _head(draft: Draft) -> tuple[str, ...]:
    """The first lines of a record: everything that was settled before the first hole."""
    table = draft.table
    seats = [seat for seat in table.public.seats if seat is not None]
    return (
        *record.head(
            record.Head(
                table=table.about.table,
                match=table.about.match,
                variant=table.about.variant,
                options=table.about.options,
                players=tuple(record.Player(seat.name, seat.bot) for seat in seats),
                dealer=table.secret.dealer,
            )
        ),
        record.commit_line(bytes.fromhex(table.fairness.commitment)),
        *record.entropy_lines(fair.contributions(table)),
    )

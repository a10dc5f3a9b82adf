"""The one door of a table: a command and the time go in, a change or a No comes out.

There is no clock, luck, network or disk behind it, so a whole evening can be replayed in a test.
"""

from collections.abc import Callable

from dormie_server.table import (
    consent,
    doors,
    forgetting,
    gathering,
    hosts,
    house,
    matches,
    policy,
    presence,
    rematches,
    seats,
    votes,
)
from dormie_server.table.clock import paused, turn_of
from dormie_server.table.commands import (
    Agree,
    Asked,
    Attach,
    BotMove,
    Command,
    DealHole,
    Detach,
    End,
    Forget,
    GiveUp,
    HostRequest,
    Join,
    Leave,
    OthersGone,
    Pause,
    PlayMove,
    Ready,
    RecordKept,
    Rematch,
    Request,
    Resume,
    ServerGone,
    SetBot,
    Shut,
    Start,
    Undo,
    Vote,
    Wake,
    in_short,
)
from dormie_server.table.draft import Change, Draft, unchanged
from dormie_server.table.permissions import check
from dormie_server.table.refusal import No
from dormie_server.table.running import hand_back, on_turn, think_on
from dormie_server.table.state import Answer, Table, day_of, kind_of, people, seat_of

_ANSWERS_KEPT = 12
"""For each player, so many requests are remembered: more than a client ever has in flight."""

_DOES_NOT_WATCH = "Watch this table first: a seat is played from the connection that watches it."


def handle(table: Table, command: Command, now: float) -> Change:  # noqa: C901, PLR0912 - one branch a command
    """What *command* does to *table* at *now*. Raises No, and then nothing has changed.

    A change whose table is the very same object is no change at all: there is nothing to keep.
    """
    match command:
        case PlayMove():
            return _play(table, command, now)
        case Asked():
            return _asked(table, command, now)
        case BotMove():
            return house.bot_move(table, command, now)
        case Attach():
            return _attach(table, command, now)
        case Detach(player, generation):
            return _detach(table, player, generation, now)
        case OthersGone(server):
            return _gone(table, lambda its: its != server, now)
        case ServerGone(server):
            return _gone(table, lambda its: its == server, now)
        case DealHole():
            return house.deal(table, command, now)
        case Wake():
            return house.wake(table, now)
        case GiveUp():
            return house.give_up(table, now)
        case Shut(said):
            return house.shut(table, said, now)
        case RecordKept(match):
            return house.record_kept(table, match, now)
        case Forget():
            return forgetting.forget(table, command, now)


def _play(table: Table, command: PlayMove, now: float) -> Change:
    """A player's own moves are numbered: the next is made, the last is answered again, others are stale."""
    seat = seat_of(table, command.player)
    if seat is None:
        raise No("not_seated")
    sitter, who = table.secret.sitters[seat], table.public.seats[seat]
    assert sitter is not None, "a player sits there"
    assert who is not None, "a player sits there"
    if sitter.generation != command.generation:
        raise No("replaced", None if command.generation else _DOES_NOT_WATCH)
    if command.count == who.count and sitter.last_move == command.move:
        return unchanged(table, sitter.last_version, seat)
    if command.count != who.count + 1:
        raise No("stale", field="count")
    # Between two holes the rules say no themselves: a match may be conceded then.
    if table.public.phase not in ("playing", "between"):
        raise No("wrong_time")
    given = table.about.given
    if given is not None and given.until is not None and now >= given.until:
        raise No("day_over")
    if command.move.__class__ not in kind_of(table).moves:
        raise No("other_game", field="move")
    draft = Draft(table, now)
    if table.public.clocks is not None:
        _take_part(draft, seat)
    matches.make_move(draft, seat, command.move)
    draft.secret(last_human=now)
    return draft.done(seat)


def _take_part(draft: Draft, seat: int) -> None:
    """A player is about to move: a bot that sits in does not, and nobody waits or votes any longer."""
    if paused(draft.table):
        raise No("paused")
    hand_back(draft, seat)
    if on_turn(draft.table) == seat:
        think_on(draft)
        policy.played(draft, seat)


def _asked(table: Table, command: Asked, now: float) -> Change:
    """A request under an id: done once, answered as often as it is asked."""
    digest = in_short(command.request)
    for answer in table.secret.answers:
        if (answer.player, answer.id) == (command.player, command.id):
            if answer.digest != digest:
                raise No("id_conflict", field="id")
            return unchanged(table, answer.version, answer.seat)
    check(table, command.player, command.request)
    own = seat_of(table, command.player)
    if _is_so_already(table, own, command.request):
        return unchanged(table, seat=own)
    draft = Draft(table, now)
    draft.secret(last_human=now)
    if own is not None and not isinstance(command.request, Leave):
        _be_back(draft, own)
    seat = _do(draft, command.player, own, command.request)
    if draft.table.public.phase in ("lobby", "over"):
        draft.public(deadline=now + table.secret.policy.lobby)
    answer = Answer(command.player, command.id, digest, table.version + 1, seat)
    # Ready is said after every hole, and the table is written down with every move.
    _remember(draft, answer, 2 if isinstance(command.request, Ready) else _ANSWERS_KEPT)
    return draft.done(seat)


def _be_back(draft: Draft, seat: int) -> None:
    """Whoever asks for anything is back at the table: a bot that sits in gives the seat back."""
    before = draft.table.public.clocks
    hand_back(draft, seat)
    if before is not draft.table.public.clocks:
        matches.settle(draft)


def _is_so_already(table: Table, own: int | None, request: Request) -> bool:
    """Whoever sits here has joined, and whoever says ready while the hole is on is simply late."""
    if isinstance(request, Join):
        return own is not None
    if isinstance(request, HostRequest):
        return hosts.is_so_already(table, request)
    return isinstance(request, Ready) and table.public.phase == "playing"


def _do(draft: Draft, player: str, own: int | None, request: Request) -> int | None:
    """Do what a player may ask for; the answer is the seat it was about."""
    if isinstance(request, Join):
        doors.let_in(draft.table, player, request.proof)
        seat = seats.join(draft, player, request)
        matches.go_on_if_ready(draft)
        return seat
    assert own is not None, "the table of roles lets only seated players through"
    if isinstance(request, HostRequest):
        hosts.do(draft, own, request)
        return own
    match request:
        case Ready():
            matches.ready(draft, own, request)
        case Start():
            gathering.start(draft)
        case SetBot():
            seat_of_bot = seats.set_bot(draft, request)
            matches.go_on_if_ready(draft)
            return seat_of_bot
        case Leave():
            _count_as_it_stands(draft)
            seats.leave(draft, own)
            gathering.somebody_left(draft)
        case End():
            _count_as_it_stands(draft)
            seats.close(draft, "host")
        case Rematch():
            rematches.ask(draft, own)
        case Pause() | Resume() | Agree() | Vote() | Undo():
            _about_time(draft, own, request)
    return own


def _count_as_it_stands(draft: Draft) -> None:
    """Whoever gives up a try at the hole of a day has had it."""
    if day_of(draft.table) and turn_of(draft.table) is not None:
        matches.time_out(draft, leaving=True)


def _about_time(draft: Draft, own: int, request: Pause | Resume | Agree | Vote | Undo) -> None:
    match request:
        case Pause():
            consent.ask_pause(draft, own, request)
        case Resume():
            consent.ask_resume(draft, own)
        case Agree(yes):
            consent.agree(draft, own, yes=yes)
        case Undo():
            consent.ask_undo(draft, own)
        case Vote(choice):
            votes.vote(draft, own, choice)


def _remember(draft: Draft, answer: Answer, kept: int) -> None:
    """Keep an answer, and of the player's earlier ones to the same question only so many as are *kept*."""
    mine, others = list[Answer](), list[Answer]()
    for old in draft.table.secret.answers:
        (mine if old.player == answer.player else others).append(old)
    alike = [old for old in mine if old.digest == answer.digest]
    mine = [old for old in mine if old not in alike[: max(0, len(alike) - kept)]]
    draft.secret(answers=(*others[-60:], *mine[1 - _ANSWERS_KEPT :], answer))


def _attach(table: Table, command: Attach, now: float) -> Change:
    seat = seat_of(table, command.player)
    sitter = table.secret.sitters[seat] if seat is not None else None
    if seat is None or sitter is None:
        raise No("not_seated")
    if command.resume and sitter.run not in ("", command.run):
        raise No("replaced")
    if command.run and command.run == sitter.run and command.line < sitter.line:
        raise No("replaced")  # by a newer connection of the same program
    if table.public.phase == "closed":
        return unchanged(table, seat=seat)
    draft = Draft(table, now)
    generation = presence.attach(draft, seat, command)
    if table.public.clocks is not None:
        matches.settle(draft)  # the bot that sat in thinks no longer
    return draft.done(seat, generation)


def _detach(table: Table, player: str, generation: int, now: float) -> Change:
    """Only the newest connection's end is a drop; an older one's has no meaning any more."""
    seat = seat_of(table, player)
    sitter = table.secret.sitters[seat] if seat is not None else None
    stale = sitter is None or sitter.generation != generation or sitter.server is None
    if seat is None or stale or table.public.phase == "closed":
        return unchanged(table)
    draft = Draft(table, now)
    presence.drop(draft, seat)
    matches.settle(draft)
    consent.look_again(draft)
    return draft.done(seat)


def _gone(table: Table, dead: Callable[[str], bool], now: float) -> Change:
    """Whoever a dead server served has dropped."""
    served = [
        seat
        for seat in people(table)
        if (sitter := table.secret.sitters[seat]) and sitter.server and dead(sitter.server)
    ]
    if not served or table.public.phase == "closed":
        return unchanged(table)
    draft = Draft(table, now)
    draft.secret(last_human=now)  # while nobody was served, nobody could do anything
    for seat in served:
        presence.drop(draft, seat)
    gathering.begin_again(draft)
    matches.settle(draft)
    return draft.done()

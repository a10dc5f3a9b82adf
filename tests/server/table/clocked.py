"""Evenings with clocks of all kinds, brought to the moment at which something runs out."""

from dormie_protocol.clocks import Clock, Clocks
from dormie_server.table.commands import Attach, Detach
from dormie_server.table.running import clocks_of, on_turn
from dormie_server.table.state import Policy
from tests.evening import HOST, Evening

BOB, CLEO = "p-bob", "p-cleo"
PEOPLE = (HOST, BOB, CLEO)


def evening_with(
    clock: Clock, *others: str, bots: tuple[str, ...] = (), pace: float = 0.0, holes: int = 2
) -> Evening:
    """An evening under *clock* in which it is somebody's turn; *others* are there besides the host."""
    size, policy = 1 + len(others) + len(bots), Policy(pace=pace)
    options: dict[str, object] = {"holes": holes}
    evening = Evening(size=size, bots=bots, clock=clock, policy=policy, options=options)
    evening.begin(*others)
    while on_turn(evening.table) is None:
        awake = [s for s in evening.waiting() if evening.seat(s).bot is None]
        if awake:
            evening.play(awake[0], evening.moves(awake[0])[0])
            evening.ring()
        else:
            evening.sleep()
    return evening


def standing(evening: Evening) -> Clocks:
    """How the clocks stand."""
    return clocks_of(evening.table)


def turn(evening: Evening) -> int:
    """Whose turn it is."""
    seat = on_turn(evening.table)
    assert seat is not None, "it is somebody's turn"
    return seat


def player_in(evening: Evening, seat: int) -> str:
    """The player in *seat*."""
    sitter = evening.table.secret.sitters[seat]
    assert sitter is not None, "somebody sits there"
    assert sitter.player is not None, "and it is a person"
    return sitter.player


def deadline(evening: Evening) -> float:
    """When the table acts by itself."""
    assert evening.table.public.deadline is not None, "the table waits for something"
    return evening.table.public.deadline


def drop(evening: Evening, seat: int) -> None:
    """The line of whoever sits there is down."""
    sitter = evening.table.secret.sitters[seat]
    assert sitter is not None, "somebody sits there"
    evening.do(Detach(player_in(evening, seat), sitter.generation))


def come_back(evening: Evening, seat: int) -> None:
    """And is up again."""
    evening.do(Attach(player_in(evening, seat), "server-1"))


def out_of_time(evening: Evening) -> None:
    """Let the time go by until the deadline, and what is due then happen."""
    evening.now = deadline(evening)
    evening.ring()


def move(evening: Evening) -> None:
    """Let whoever's turn it is make a whole turn."""
    seat, before = turn(evening), evening.table.secret.turn
    while evening.table.secret.turn == before and evening.phase == "playing":
        evening.play(seat, evening.moves(seat)[-1])
    evening.ring()

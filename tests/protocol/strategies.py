"""Any message a client may send and any message a server may send."""

from dataclasses import fields, is_dataclass
from typing import Any, get_args

from hypothesis import strategies as st

from dormie_protocol import day_messages as d
from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_protocol.clock_messages import ClockWish
from dormie_protocol.clocks import Ask, Break, Clock, Clocks
from dormie_protocol.emotes import EMOTES
from dormie_protocol.lobby_view import LobbyCard, OwnTable, Played
from dormie_protocol.spectators import Spectators, SpectatorWish
from dormie_protocol.table_view import About, Fairness, Given, TablePublic
from dormie_rules.cards import pack
from dormie_rules.course_state import CoursePublic
from dormie_rules.grid_events import DrewCard
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_state import GridPocket, GridPublic
from dormie_rules.patience_hints import Hint as HintText
from dormie_rules.variants import find, names
from tests.event_examples import EXAMPLES

IDS = st.text("abcXYZ019_-", min_size=1, max_size=36)
CODES = st.text(m.CODE_LETTERS, min_size=m.CODE_LENGTH, max_size=m.CODE_LENGTH)
WORDS = st.text("abcxyz019_", min_size=1, max_size=32)
HEX = st.text("0123456789abcdef", min_size=32, max_size=32)
RECORDS = st.builds("{}-{}".format, CODES, st.integers(1, 99))
CARDS = st.sampled_from(pack(jokers_per_deck=1))
DATES = st.dates().map(str)
TIMES = st.floats(0, 2**40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
OPTIONS = st.dictionaries(WORDS, JSON, max_size=4)
MOVES: st.SearchStrategy[GridMove] = st.one_of(*(st.from_type(move) for move in get_args(GridMove)))
PASSWORDS = st.text(min_size=4, max_size=64)
TEXTS = st.text(max_size=560)
SEATS = st.none() | st.integers(0, 5)
PLACE = {"id": IDS, "table": CODES}

CLIENT: dict[type[m.FromClient], st.SearchStrategy[Any]] = {  # of the type beside it
    m.Hello: st.builds(
        m.Hello,
        id=IDS,
        token=st.none() | st.text("abcXYZ_-", min_size=43, max_size=43),
        name=st.none() | st.text(max_size=64),
        claim=st.none() | CODES,
        language=st.sampled_from(["en", "fr"]),
    ),
    m.Create: st.builds(
        m.Create,
        id=IDS,
        variant=WORDS,
        options=OPTIONS,
        size=st.integers(2, 6),
        turn_seconds=st.none() | st.integers(5, 14 * 86400),
        bots=st.lists(WORDS, max_size=5).map(tuple),
        password=st.none() | PASSWORDS,
        listed=st.booleans(),
        clock=st.none() | st.builds(ClockWish, turn_seconds=st.none() | st.integers(0, 2**31)),
        spectators=st.builds(SpectatorWish, delay=st.integers(0, 300)),
    ),
    m.Join: st.builds(m.Join, **PLACE, seat=SEATS, password=st.none() | PASSWORDS),
    m.Watch: st.builds(
        m.Watch,
        **PLACE,
        after=st.integers(0, 2**53),
        chain=st.just("") | HEX,
        password=st.none() | PASSWORDS,
    ),
    m.Unwatch: st.builds(m.Unwatch, **PLACE),
    m.Ready: st.builds(m.Ready, **PLACE, entropy=st.none() | HEX),
    m.Start: st.builds(m.Start, **PLACE),
    m.Play: st.builds(m.Play, **PLACE, count=st.integers(1, 2**31), move=MOVES),
    m.Bot: st.builds(m.Bot, **PLACE, level=st.none() | WORDS, seat=SEATS),
    m.Leave: st.builds(m.Leave, **PLACE),
    m.End: st.builds(m.End, **PLACE),
    m.Rematch: st.builds(m.Rematch, **PLACE),
    m.Kick: st.builds(
        m.Kick,
        **PLACE,
        seat=st.integers(0, 5),
        ban=st.booleans(),
        name=st.none() | st.text(max_size=64),
    ),
    m.HandOver: st.builds(
        m.HandOver, **PLACE, seat=st.integers(0, 5), name=st.none() | st.text(max_size=64)
    ),
    m.Lock: st.builds(m.Lock, **PLACE, locked=st.booleans()),
    m.SetSpectators: st.builds(
        m.SetSpectators,
        **PLACE,
        allowed=st.none() | st.booleans(),
        password=st.none() | st.booleans(),
        chat=st.sampled_from([None, "off", "hear", "apart", "all"]),
        delay=st.none() | st.integers(0, 300),
    ),
    m.SetPassword: st.builds(m.SetPassword, **PLACE, password=st.none() | PASSWORDS),
    m.Lobby: st.builds(
        m.Lobby,
        id=IDS,
        variant=st.none() | WORDS,
        free=st.booleans(),
        follow=st.none() | st.booleans(),
    ),
    m.Quick: st.builds(
        m.Quick, id=IDS, variant=st.none() | WORDS, size=st.none() | st.integers(2, 6)
    ),
    m.Mine: st.builds(m.Mine, id=IDS),
    m.History: st.builds(m.History, id=IDS, before=st.none() | RECORDS, limit=st.integers(1, 50)),
    m.Pause: st.builds(m.Pause, **PLACE, seconds=st.none() | st.integers(1, 14 * 86400)),
    m.Resume: st.builds(m.Resume, **PLACE),
    m.Agree: st.builds(m.Agree, **PLACE, yes=st.booleans()),
    m.Undo: st.builds(m.Undo, **PLACE),
    m.Hint: st.builds(m.Hint, **PLACE, hint=st.sampled_from(["fair", "open"])),
    m.Vote: st.builds(m.Vote, **PLACE, choice=st.sampled_from(["wait", "bot", "end"])),
    p.Say: st.builds(p.Say, **PLACE, text=TEXTS),
    p.Emote: st.builds(p.Emote, **PLACE, emote=st.sampled_from(sorted(EMOTES))),
    p.Chat: st.builds(p.Chat, **PLACE, after=st.integers(0, 2**53)),
    p.Mute: st.builds(p.Mute, **PLACE, seat=st.integers(0, 5))
    | st.builds(p.Mute, **PLACE, line=st.integers(1, 2**53)),
    p.Unmute: st.builds(p.Unmute, **PLACE, seat=st.integers(0, 5)),
    p.Block: st.builds(p.Block, **PLACE, seat=st.integers(0, 5)),
    p.Unblock: st.builds(p.Unblock, id=IDS, entry=WORDS),
    p.Blocks: st.builds(p.Blocks, id=IDS),
    p.Report: st.builds(
        p.Report, **PLACE, seat=st.integers(0, 5), reason=st.just("spam"), text=TEXTS
    ),
    p.ClaimCode: st.builds(p.ClaimCode, id=IDS),
    p.Devices: st.builds(p.Devices, id=IDS),
    p.ForgetDevice: st.builds(p.ForgetDevice, id=IDS, device=WORDS),
    p.Erase: st.builds(p.Erase, id=IDS, name=st.text(max_size=64)),
}

HOLES = st.builds(
    GridPublic,
    grids=st.lists(st.lists(st.none() | CARDS, max_size=6).map(tuple), min_size=2, max_size=4).map(
        tuple
    ),
    discard=st.none() | CARDS,
    taken=st.none() | CARDS,
)
TABLES = st.builds(
    TablePublic,
    deadline=st.none() | TIMES,
    match=st.none() | st.builds(CoursePublic, play=st.none() | HOLES),
    clocks=st.none()
    | st.builds(
        Clocks,
        bank=st.lists(TIMES, max_size=4).map(tuple),
        away=st.lists(TIMES, max_size=4).map(tuple),
        pause_seconds=TIMES,
        left=st.none() | TIMES,
        ask=st.none()
        | st.builds(Ask, seconds=TIMES, agreed=st.just((0, 2)), at=TIMES, until=TIMES),
        pause=st.none() | st.builds(Break, since=TIMES, held=TIMES),
    ),
)
ABOUTS = st.builds(
    About,
    options=OPTIONS,
    rules=st.sampled_from([find(name).rules for name in names()]),
    turn_seconds=TIMES,
    clock=st.just(Clock()),
    spectators=st.builds(Spectators),
    given=st.none() | st.builds(Given, until=st.none() | TIMES),
)
HEARD = st.builds(
    m.Heard,
    all=st.sampled_from([event for event, _ in EXAMPLES]),
    mine=st.none() | st.builds(DrewCard, CARDS),
)

CLIENT |= {
    d.Day: st.builds(d.Day, id=IDS, date=st.none() | DATES),
    d.PlayDay: st.builds(d.PlayDay, id=IDS),
    d.DayResults: st.builds(
        d.DayResults,
        id=IDS,
        date=st.none() | DATES,
        after=st.integers(0, 100_000),
        limit=st.integers(1, 100),
    ),
}

SERVER: dict[type[m.FromServer], st.SearchStrategy[Any]] = {  # of the type beside it
    m.Welcome: st.builds(m.Welcome, now=TIMES),
    m.Done: st.builds(m.Done),
    m.Refused: st.builds(m.Refused),
    m.Seen: st.builds(
        m.Seen,
        now=TIMES,
        events=st.lists(HEARD, max_size=4).map(tuple),
        view=st.none() | TABLES,
        pocket=st.none() | st.builds(GridPocket, drawn=st.none() | CARDS),
        moves=st.lists(MOVES, max_size=4).map(tuple),
        about=st.none() | ABOUTS,
        fairness=st.none() | st.builds(Fairness),
    ),
    m.Replaced: st.builds(m.Replaced),
    m.SentAway: st.builds(m.SentAway),
    m.Audience: st.builds(m.Audience),
    m.Veiled: st.builds(m.Veiled, seconds=TIMES),
    m.Bye: st.builds(m.Bye, retry_after=st.none() | TIMES),
    m.LobbySeen: st.builds(
        m.LobbySeen,
        tables=st.lists(st.builds(LobbyCard, turn_seconds=TIMES, since=TIMES), max_size=3).map(
            tuple
        ),
    ),
    m.MineSeen: st.builds(
        m.MineSeen,
        tables=st.lists(st.builds(OwnTable, deadline=st.none() | TIMES), max_size=3).map(tuple),
    ),
    m.HistorySeen: st.builds(
        m.HistorySeen, matches=st.lists(st.builds(Played, when=TIMES), max_size=3).map(tuple)
    ),
    m.HintSeen: st.builds(m.HintSeen, re=IDS, table=CODES, hint=st.builds(HintText)),
    d.DaySeen: st.builds(
        d.DaySeen,
        opens=TIMES,
        closes=TIMES,
        own=st.none() | st.builds(d.OwnTry),
        shown=st.none() | st.builds(d.DayShown),
    ),
    d.DayResultsSeen: st.builds(
        d.DayResultsSeen,
        lines=st.lists(st.builds(d.DayLine), max_size=3).map(tuple),
        own=st.none() | st.builds(d.DayLine),
    ),
    p.Said: st.builds(p.Said, when=TIMES),
    p.ClaimTicket: st.builds(p.ClaimTicket, code=CODES, until=TIMES),
    p.DeviceList: st.builds(
        p.DeviceList,
        devices=st.lists(st.builds(p.DeviceInfo, seen=TIMES), max_size=3).map(tuple),
    ),
    p.BlockedList: st.builds(
        p.BlockedList,
        players=st.lists(st.builds(p.BlockedPlayer, since=TIMES), max_size=3).map(tuple),
    ),
}


def types_in(value: object) -> set[type]:
    """The kinds of values that a message is made of."""
    found = {type(value)}
    if isinstance(value, tuple):
        return found.union(*(types_in(item) for item in value), set())
    if is_dataclass(value):
        return found.union(*(types_in(getattr(value, f.name)) for f in fields(value)), set())
    return found

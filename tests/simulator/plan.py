"""What a seed stands for: who plays what, on how many servers, and in what weather."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from dormie_bots import LEVELS
from dormie_rules.patience_layouts import FACE_DOWN
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.variants import find, names

AN_HOUR, DAY = 3600, 86400
SHORTEST_DAY = AN_HOUR + 100
"""Seconds for a turn that count as days, and are over soon."""
FIRST_LONG = 200
"""From this seed on, which no test runs, some races have 18 holes."""
DEAD_EVERY, DEAD_HOLES = 25, 4
"""One seed in so many plays Black Hole by strict Kings: one deal in five is over as soon as it is dealt."""
LOSSES_EVERY = 7
"""One seed in so many has a store that dies now and then before it has written down what it told."""
SQLITE_EVERY = 6
"""One seed in so many runs on the store that comes with the server."""


@dataclass(frozen=True, slots=True)
class Evening:
    """One table and everybody who will be there."""

    variant: str
    size: int
    people: int
    sdk_bots: tuple[str, ...]
    house_bots: tuple[str, ...]
    watchers: int
    echo: bool
    """Whether one of the people speaks by itself, and says everything twice."""
    turn_seconds: int
    rematch: bool
    clock: dict[str, int | str] | None = None
    """What is agreed on about time besides, on some evenings."""
    company: bool = False
    """Whether people talk, and the host makes use of a host's rights."""
    password: str | None = None
    spectators: dict[str, int | str] | None = None
    """How the switches for spectators differ from the usual ones."""
    undo: bool = False
    stranger: bool = False
    """Whether somebody asks for any seat anywhere, and perhaps gets one here."""
    oversleeps: bool = False
    """Whether somebody sleeps for longer than the hour or the days that a turn may take."""
    options: dict[str, Any] | None = None
    """The options of a race or a course alone; None where grid Golf is played, a hole of it."""
    devices: bool = False
    """Whether people make other devices theirs, forget old ones, and one perhaps wants to be forgotten."""


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad it is, and for how long."""

    until: float
    """Seconds from the beginning; afterwards nothing goes wrong any more."""
    every: float
    """So many seconds lie between two misfortunes, on average."""
    latency: float
    pieces: int
    """The most bytes that arrive in one go."""
    unreachable: float
    failing: float
    forgetting: float
    bell_loss: float
    bell_echo: float
    bell_delay: float
    bare: float
    deaths: float = 0.0
    """So many seconds lie between two moves that the store loses, on average; 0 says that it loses none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole simulation."""

    seed: int
    servers: int
    sqlite: bool
    evenings: tuple[Evening, ...]
    weather: Weather


def plan_of(seed: int) -> Plan:
    """The plan of a seed; the same one always."""
    luck = Random(f"dormie plan {seed}")
    sqlite = seed % SQLITE_EVERY == SQLITE_EVERY - 1
    clock = _clock(Random(f"dormie clock {seed}"))
    company = Random(f"dormie company {seed}")
    watched = Random(f"dormie watched {seed}")
    devices = Random(f"dormie devices {seed}").random() < 0.4
    days = _days(Random(f"dormie days {seed}"))
    plan = Plan(
        seed=seed,
        servers=1 if sqlite else luck.choice((1, 2, 2, 3)),
        sqlite=sqlite,
        evenings=tuple(
            replace(
                _evening(luck),
                **{"clock": clock, **days},
                devices=devices,
                **_company(company),
                **_watched(watched),
            )
            for _ in range(luck.choice((1, 1, 1, 2)))
        ),
        weather=_weather(luck),
    )
    if seed % LOSSES_EVERY == 1 and plan.servers > 1:
        plan = replace(plan, weather=replace(plan.weather, deaths=6.0))
    races = Random(f"dormie races {seed}")
    if seed % DEAD_EVERY == DEAD_EVERY - 1:
        return with_dead_deals(plan, races)
    return _with_races(plan, races, long=seed % 25 == 0 and seed >= FIRST_LONG)


def with_dead_deals(plan: Plan, luck: Random) -> Plan:
    """The same plan with Black Hole at its first table, where at many deals nothing fits."""
    first, *others = plan.evenings
    race = race_of(first, luck, DEAD_HOLES)
    options = {**(race.options or {}), "jokers": 0, "empty_start": False, "king_rule": "strict"}
    options["hole_seconds"] = 25
    return replace(plan, evenings=(replace(race, variant="black_hole", options=options), *others))


def _with_races(plan: Plan, luck: Random, *, long: bool) -> Plan:
    """The same plan, one time in four with Golf Patience at its first table; *long* is 18 holes."""
    if not long and luck.random() > 0.25:
        return plan
    first, *others = plan.evenings
    evenings = (race_of(first, luck, 18 if long else luck.choice((1, 1, 1, 2))), *others)
    weather = replace(plan.weather, until=4 * plan.weather.until) if long else plan.weather
    return replace(plan, evenings=evenings, weather=weather)


def race_of(evening: Evening, luck: Random, holes: int) -> Evening:
    """An evening of any Golf Patience, or of a relative: one to six players on one deal."""
    size = luck.choice((1, 1, 2, 2, 2, 3, 3, 6))
    house = luck.choice((0, 0, 1)) if size > 1 else 0
    bots = min(size - 1 - house, luck.choice((0, 0, 1)))
    together: dict[str, Any] = {
        "scoring": luck.choice(("strokes", "match")),
        "tied_match": luck.choice(("halve", "countback", "extend" if size == 2 else "halve")),
        "play_out": luck.random() < 0.3,
        "opponent_view": luck.choice(("cards_left", "finished")),
    }
    alone = {"undo": luck.choice(("off", "before_draw", "unlimited", "unlimited"))}
    every = {name: find_patience(name) for name in patience_names()}
    name = luck.choice(
        [name for name, one in every.items() if one.min_seats <= size <= one.max_seats]
    )
    rules = every[name].rules
    if FACE_DOWN[rules.layout] and alone["undo"] == "before_draw":
        alone = {"undo": "off"}
    kings = {"king_rule": luck.choice(("strict", "queen", "wrap"))} if luck.random() < 0.2 else {}
    options = {
        **kings,
        "holes": holes,
        "deal_policy": "random",  # the cards of others would have no marks
        "jokers": luck.choice((0, 0, 0, 1, 2)) if rules.build == "either" else 0,
        "empty_start": luck.random() < 0.2 or rules.empty_start,
        "hole_seconds": luck.choice((10, 25, 60, 300)),
        "time_up": luck.choice(("score", "lose")),
        **(together if size > 1 else alone),
    }
    return replace(
        evening,
        variant=name,
        size=size,
        people=size - house - bots,
        sdk_bots=("easy",) * bots,
        house_bots=("easy",) * house,
        options=options,
        oversleeps=False,
        undo=False,
        clock=None if evening.oversleeps else evening.clock,
    )


def _clock(luck: Random) -> dict[str, int | str] | None:
    """What a table has agreed on about time; nothing, half of the time."""
    if luck.random() < 0.5:
        return None
    return {
        "when_out": luck.choice(("default", "bot", "bot", "vote", "vote", "wait", "withdraw")),
        "bot": luck.choice(("random", "easy")),
        "game_seconds": luck.choice((0, 10)),
        "away_seconds": luck.choice((2, 10)),
        "pause_seconds": luck.choice((5, 20)),
        "vote_seconds": 5,
        "wait_seconds": 10,
    }


def _days(luck: Random) -> dict[str, Any]:
    """On a few evenings there are days for a move: nobody need be there, and nobody is hurried."""
    if luck.random() < 0.9:
        return {}
    if luck.random() < 0.4:
        clock: dict[str, int | str] = {"when_out": luck.choice(("default", "bot", "withdraw"))}
        return {"turn_seconds": SHORTEST_DAY, "oversleeps": True, "clock": clock}
    clock = {"when_out": luck.choice(("vote", "wait", "bot")), "pause_seconds": 20}
    return {"turn_seconds": luck.choice((DAY, 3 * DAY)), "clock": clock}


def _company(luck: Random) -> dict[str, Any]:
    """Whether there is company, and whether one has to know a word to come in."""
    key = f"{luck.getrandbits(64):016x}" if luck.random() < 0.25 else None
    return {"company": luck.random() < 0.5, "password": key, "stranger": luck.random() < 0.3}


def _watched(luck: Random) -> dict[str, Any]:
    """Whether spectators see everything later, and talk; and whether moves are taken back."""
    chat = luck.choice(("hear", "apart", "all", "off"))
    spectators = {"delay": luck.choice((1, 2, 5)), "chat": chat} if luck.random() < 0.4 else None
    return {"spectators": spectators, "undo": luck.random() < 0.4}


def _evening(luck: Random) -> Evening:
    variant = find(luck.choice(names()))
    size = min(variant.max_seats, luck.choice((2, 2, 3, 3, 4, 4, 5, 6)))
    house = luck.randint(0, size - 2) if size > 2 else 0
    bots = luck.randint(0, size - house - 1)
    return Evening(
        variant=variant.name,
        size=size,
        people=size - house - bots,
        sdk_bots=tuple(luck.choice(LEVELS[:2]) for _ in range(bots)),
        house_bots=tuple(luck.choice(LEVELS[:2]) for _ in range(house)),
        watchers=luck.choice((0, 0, 1, 2)),
        echo=luck.random() < 0.3,
        turn_seconds=luck.choice((5, 8, 15)),
        rematch=luck.random() < 0.2,
    )


def _weather(luck: Random) -> Weather:
    bad = luck.choice((0.0, 0.3, 1.0, 1.0))
    return Weather(
        until=luck.uniform(20.0, 60.0),
        every=3.0 / bad if bad else 1e9,
        latency=luck.choice((0.002, 0.02, 0.1)),
        pieces=luck.choice((65536, 65536, 700, 90)),
        unreachable=0.05 * bad,
        failing=0.01 * bad,
        forgetting=0.01 * bad,
        bell_loss=luck.choice((0.0, 0.05, 0.3)),
        bell_echo=luck.choice((0.0, 0.2)),
        bell_delay=luck.choice((0.005, 0.05, 0.25)),
        bare=luck.choice((0.0, 0.3, 1.0)),
    )

"""The clocks of a table in words."""

from collections.abc import Iterator

from dormie_client.clocks import TimeLeft, clocks_of
from dormie_client.play_text import text
from dormie_client.scene import Scene
from dormie_protocol.messages import Language

_UNITS = (("time_days", 86_400), ("time_hours", 3600), ("time_minutes", 60), ("time_seconds", 1))


def duration(seconds: float, language: Language) -> str:
    """So many seconds, in the two largest units that say something.

    >>> [duration(of, "en") for of in (0, 5, 90, 300, 3 * 3600 + 61, 14 * 86400)]
    ['0 s', '5 s', '1 min 30 s', '5 min', '3 h 1 min', '14 d']
    """
    whole, parts = max(0, round(seconds)), list[str]()
    for key, unit in _UNITS:
        count, whole = divmod(whole, unit)
        if count:
            parts.append(text(key, language, count=count))
        elif parts:
            break
    return " ".join(parts[:2]) or text("time_seconds", language, count=0)


def clock_lines(scene: Scene, left: TimeLeft | None) -> list[str]:
    """What the clocks show, what each player has left, and what happens when time is over."""
    language = scene.screen.language
    if left is None:
        return [scene.text("no_clock")]
    playing = scene.view.phase == "playing" or left.runs == "pause"
    first = scene.text(
        f"clock_{left.runs}" if playing else "clock_phase", time=duration(left.seconds, language)
    )
    return [first, *_seats(scene, left), _pauses(scene), _policy(scene)]


def _seats(scene: Scene, left: TimeLeft) -> Iterator[str]:
    language = scene.screen.language
    key = "clock_seat" if scene.about.clock.game_seconds else "clock_seat_away"
    for seat, sitter in enumerate(scene.view.seats):
        if sitter is not None and sitter.bot is None:
            yield scene.text(
                key,
                name=scene.called(seat),
                bank=duration(left.bank[seat], language),
                away=duration(left.away[seat], language),
            )


def _pauses(scene: Scene) -> str:
    clocks = clocks_of(scene.about, scene.view)
    time = duration(clocks.pause_seconds, scene.screen.language)
    return scene.text("clock_pauses", count=clocks.pauses, time=time)


def _policy(scene: Scene) -> str:
    clock = scene.about.clock
    return scene.text("clock_policy", what=scene.text(f"policy_{clock.when_out}", bot=clock.bot))

"""What somebody is asked about time: a pause, a vote, a seat that a bot keeps warm."""

from dormie_client.clock_lines import duration
from dormie_client.scene import Scene
from dormie_protocol.clocks import Clocks

VOTES = ("vote_wait", "vote_bot", "vote_withdraw", "vote_end")
_PHASES = ("playing", "between")


def ask_about_time(scene: Scene) -> tuple[str, list[str]] | None:
    """What has to be answered before the game goes on, as a title and what may be typed."""
    clocks, seat = scene.view.clocks, scene.seat
    if clocks is None or seat is None or scene.view.phase not in _PHASES:
        return None
    if clocks.ask is not None and seat not in clocks.ask.agreed and _plays(scene, seat):
        return _asked(scene, clocks), ["agree", "refuse"]
    if clocks.pause is not None:
        return scene.text("ask_paused"), ["resume"]
    turn = scene.hole.turn if scene.hole else None
    if clocks.votes is not None and turn not in (None, seat) and clocks.votes[seat] is None:
        assert turn is not None, "a vote is about the one whose turn it is"
        if _plays(scene, seat):
            return scene.text("ask_vote", name=scene.called(turn)), list(VOTES)
    if clocks.sits_in[seat] is not None:
        return scene.text("ask_sat_in"), ["resume"]
    return None


def _asked(scene: Scene, clocks: Clocks) -> str:
    assert clocks.ask is not None, "something is asked"
    name = scene.called(clocks.ask.seat)
    if clocks.ask.what != "pause":
        return scene.text(f"ask_{clocks.ask.what}", name=name)
    time = duration(clocks.ask.seconds, scene.screen.language)
    return scene.text("ask_pause", name=name, time=time)


def _plays(scene: Scene, seat: int) -> bool:
    """Whether a seat is still in the match: nobody else is asked."""
    match = scene.view.match
    return match is not None and match.out[seat] is None

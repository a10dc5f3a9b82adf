"""What words about oneself do: another device, a forgotten one, being forgotten."""

from dormie_client.clock_lines import duration
from dormie_client.commands import Command, Unclear
from dormie_client.here import End, Group, Here
from dormie_client.identity import forget
from dormie_client.web_address import for_others


async def _claim(here: Here, command: Command) -> None:
    del command
    house = here.house
    ticket = await house.claim_code()
    time = duration(ticket.until - house.server_time(), here.show.screen.language)
    url = for_others(here.show.url, house.links)
    here.text("claim_code", time=time, url=url, code=ticket.code)
    here.text("claim_secret")


async def _devices(here: Here, command: Command) -> None:
    del command
    for number, device in enumerate(await here.house.devices(), start=1):
        marks = [here.word("device_this")] if device.this else []
        marks += [here.word("device_here")] if device.here else []
        shown = "".join(f", {mark}" for mark in marks)
        here.text("device_line", number=number, device=device.device, marks=shown)


async def _forget(here: Here, command: Command) -> None:
    devices = await here.house.devices()
    number = int(command.rest[:4]) if command.rest.isdecimal() else 0
    if not 1 <= number <= len(devices):
        raise Unclear("which_device")
    device = devices[number - 1]
    await here.house.forget_device(device.device)
    here.text("device_forgotten", device=device.device)


async def _erase(here: Here, command: Command) -> End:
    house = here.house
    if not command.rest:
        raise Unclear("sure_erase", name=house.name)
    await house.erase(command.rest)
    if here.home is not None:
        forget(here.home, here.show.url)
    here.text("erased")
    return "quit"


WORDS: Group = {
    "claim": _claim,
    "devices": _devices,
    "forget": _forget,
    "erase": _erase,
}

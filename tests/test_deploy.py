"""The files for whoever runs a house name only what exists, and the proxy's carries a whole hole."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

from dormie_client import Dormie
from dormie_protocol.messages import CODE_LETTERS
from dormie_protocol.words import REFUSALS
from dormie_server.config import Settings
from dormie_server.limits import Limits
from dormie_server.metrics import Metrics
from tests.chaos.house import OPEN_DOORS
from tests.chaos.houses import open_houses
from tests.chaos.plan import Plan
from tests.chaos.staging import playing
from tests.serving import fetch, free_port

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def compose() -> dict[str, Any]:
    """The compose file, as a program reads it."""
    read: dict[str, Any] = yaml.safe_load(text("docker-compose.yml"))
    return read


@pytest.mark.parametrize(
    "name",
    ["docker-compose.yml", "Dockerfile", "deploy/dormie-server.service", "docs/operate.md"],
)
def test_every_setting_that_is_named_exists(name: str) -> None:
    named = set(re.findall(r"DORMIE_([A-Z_]+)\b", text(name)))
    wrong = set()
    for one in named:
        setting, _, limit = one.lower().partition("__")
        fields = set(Limits.__dataclass_fields__ if limit else Settings.model_fields)
        if (limit or setting) not in fields:
            wrong.add(one)

    assert named
    assert set() == wrong


def test_the_compose_file_has_two_servers_that_are_alike_and_everybody_is_looked_after() -> None:
    services = compose()["services"]

    assert {"redis", "server-1", "server-2", "proxy"} == set(services)
    assert services["server-1"] == services["server-2"]
    assert "HEALTHCHECK" in text("Dockerfile"), "which is the servers'"
    for name in ("redis", "proxy"):
        assert services[name]["healthcheck"]["test"]
    for name in ("redis", "server-1", "server-2"):
        assert "ports" not in services[name], "only the proxy is reached from outside"


def test_the_compose_file_s_redis_is_one_that_nothing_is_said_about() -> None:
    command = compose()["services"]["redis"]["command"]
    told = dict(zip(command[1::2], command[2::2], strict=True))

    assert ("yes", "always") == (told["--appendonly"], told["--appendfsync"])
    assert told["--maxmemory-policy"] == "noeviction"


def test_nasty_C16_what_a_promoted_replica_may_lose_is_written_down() -> None:
    page = " ".join(text("docs/operate.md").split())

    assert "A replica that is promoted may lack what the master had acknowledged last" in page
    assert "`min-replicas-to-write`" in page


def test_the_compose_file_believes_its_own_proxy_and_no_other() -> None:
    (net,) = compose()["networks"]["inside"]["ipam"]["config"]
    server = compose()["services"]["server-1"]

    assert net["subnet"] == server["environment"]["DORMIE_TRUSTED_PROXIES"]
    assert {service["networks"][0] for service in compose()["services"].values()} == {"inside"}


def test_the_compose_file_mounts_what_is_here_and_the_proxy_names_the_servers() -> None:
    (mount,) = compose()["services"]["proxy"]["volumes"]
    upstream = set(re.findall(r"server (\S+):8421", text("deploy/nginx.conf")))

    assert (ROOT / mount.partition(":")[0]).is_file()
    assert {"server-1", "server-2"} == upstream


def test_the_container_runs_as_nobody_special() -> None:
    lines = text("Dockerfile").splitlines()
    user = next(line for line in lines if line.startswith("USER "))

    assert user.split()[1] not in ("root", "0")
    assert lines.index(user) < next(n for n, line in enumerate(lines) if "ENTRYPOINT" in line)
    for copied in re.findall(r"^COPY ([^-].*) \S+$", text("Dockerfile"), re.MULTILINE):
        assert all((ROOT / one).exists() for one in copied.split()), copied


def test_dashboard_and_alerts_name_only_figures_that_exist() -> None:
    metrics = Metrics(REFUSALS)
    there = set(re.findall(r"^(dormie_\w+)", metrics.render().decode(), re.MULTILINE))
    alerts = yaml.safe_load(text("deploy/alerts.yml"))
    rules = [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    panels = json.loads(text("deploy/grafana.json"))["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    named = {one for expr in (*rules, *shown) for one in re.findall(r"dormie_\w+", expr)}

    assert named
    assert named <= there, named - there
    assert "store_unavailable" in REFUSALS


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze on this machine")
    unit = tmp_path / "dormie-server.service"
    unit.write_text(text("deploy/dormie-server.service").replace("/opt/dormie/bin/", "/usr/bin/"))
    unit.write_text(unit.read_text().replace("/usr/bin/dormie-server", shutil.which("true") or ""))
    done = subprocess.run(
        [program, "verify", str(unit)], capture_output=True, text=True, check=False
    )

    assert (0, "") == (done.returncode, done.stdout + done.stderr)


@dataclass
class Nginx:
    """A proxy with the shipped settings."""

    port: int


@contextmanager
def nginx(folder: Path, ports: list[int]) -> Iterator[Nginx]:
    """Debian's, or any other; for other ports nothing else in its settings is changed."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None and os.environ.get("CI"):
        pytest.fail("there is no nginx")
    if program is None:
        pytest.skip("there is no nginx on this machine: apt install nginx (only the tests need it)")
    listening, told = free_port(), text("deploy/nginx.conf")
    told = told.replace("listen 8080;", f"listen 127.0.0.1:{listening};")
    for number, port in enumerate(ports, 1):
        told = told.replace(f"server-{number}:8421", f"127.0.0.1:{port}")
    (folder / "nginx.conf").write_text(told)
    here = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;"
    command = [program, "-c", str(folder / "nginx.conf"), "-p", str(folder), "-g", here]
    command += ["-e", str(folder / "error.log")]
    process = subprocess.Popen(command)
    try:
        yield Nginx(listening)
    finally:
        process.terminate()
        process.wait(timeout=10)


async def test_a_whole_hole_through_the_proxy_while_a_server_is_restarted(tmp_path: Path) -> None:
    """The shipped settings of the proxy, two servers, and each is stopped once in between."""
    doors = OPEN_DOORS | {"DORMIE_TRUSTED_PROXIES": "127.0.0.1"}
    async with open_houses(tmp_path, doors) as houses:
        with nginx(tmp_path, [one.port for one in houses.servers]) as proxy:
            houses.door = proxy
            await _answers(proxy.port)
            with pytest.raises(OSError, match="404"):
                await fetch(proxy.port, "/metrics")
            plans = [Plan(n, holes=1, far_store=True) for n in range(3)]
            async with playing(houses, *plans) as evening:
                for server in houses.servers:
                    await evening.moves(15)
                    await server.restart()
                result = await evening.end()
        faults = houses.faults()

    assert [] == result.wrong
    assert result.good
    assert [] == faults


async def test_the_people_of_a_table_come_to_one_server_through_the_proxy(tmp_path: Path) -> None:
    """By the last letter of its code; and the tables are spread over the servers."""
    doors = OPEN_DOORS | {"DORMIE_TRUSTED_PROXIES": "127.0.0.1"}
    async with open_houses(tmp_path, doors) as houses, AsyncExitStack() as guests:
        ports = [one.port for one in houses.servers]
        proxy = guests.enter_context(nginx(tmp_path, ports))
        await _answers(proxy.port)

        async def come(code: str) -> Dormie:
            url = f"ws://127.0.0.1:{proxy.port}/ws"
            return await guests.enter_async_context(await Dormie.connect(url, code=code))

        there, new = [0, 0], set[tuple[int, ...]]()
        for letter in CODE_LETTERS:
            table = await (await come(f"PARTEE2{letter}")).create(size=4)
            for _ in range(3):
                await come(table.code)
            before, there = there, [await _connections(port) for port in ports]
            new.add(tuple(now - then for now, then in zip(there, before, strict=True)))
            if len(new) > 1:
                break

    assert {(4, 0), (0, 4)} == new


async def _connections(port: int) -> int:
    found = re.search(r"^dormie_connections (\d+)", await fetch(port, "/metrics"), re.MULTILINE)
    assert found
    return int(found[1])


async def _answers(port: int) -> None:
    until = time.monotonic() + 10
    while True:
        try:
            await fetch(port, "/readyz")
        except OSError:
            assert time.monotonic() < until
        else:
            return

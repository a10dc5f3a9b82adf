"""A house that speaks TLS by itself, with a certificate made for the test."""

import asyncio
import shutil
import ssl
from pathlib import Path
from typing import Any

import pytest
import structlog.testing
import trustme

from dormie_client import ClosedError, Dormie
from dormie_server.app import App
from dormie_server.cli import main
from dormie_server.config import BadSetting, read_settings
from tests.serving import QUICK, serving


@pytest.fixture
def authority(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> trustme.CA:
    """Somebody whom every client here trusts, as one trusts those that come with a system."""
    authority = trustme.CA()
    trusted = tmp_path / "trusted.pem"
    authority.cert_pem.write_to_path(trusted)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    return authority


class Papers:
    """A certificate and its key, in files."""

    def __init__(self, authority: trustme.CA, folder: Path, host: str = "localhost") -> None:
        folder.mkdir()
        made = authority.issue_cert(host)
        self.certificate, self.key = folder / "certificate.pem", folder / "key.pem"
        made.private_key_pem.write_to_path(self.key)
        for number, part in enumerate(made.cert_chain_pems):
            part.write_to_path(self.certificate, append=number > 0)

    @property
    def settings(self) -> dict[str, Any]:
        return {"tls_certificate": str(self.certificate), "tls_key": str(self.key)}


def address(app: App) -> str:
    return f"https://localhost:{app.port}"


async def shown(app: App) -> str:
    """The certificate that somebody who comes now is shown."""
    return await asyncio.to_thread(ssl.get_server_certificate, ("localhost", app.port))


async def test_a_house_with_a_certificate_is_reached_by_https_and_says_so(
    authority: trustme.CA, tmp_path: Path
) -> None:
    papers = Papers(authority, tmp_path / "papers")
    async with (
        serving(**papers.settings) as app,
        await Dormie.connect(address(app), name="Ada") as ada,
    ):
        assert (f"https://127.0.0.1:{app.port}/",) == app.links() == ada.links
        table = await ada.create(size=2, bots=["random"])

        assert table.seat == 0


async def test_whoever_speaks_plainly_to_it_is_told_in_a_word_and_harms_nobody(
    authority: trustme.CA, tmp_path: Path
) -> None:
    papers = Papers(authority, tmp_path / "papers")
    async with serving(**papers.settings) as app:
        with pytest.raises(ClosedError):
            await Dormie.connect(f"http://localhost:{app.port}", patience=0.3)
        async with await Dormie.connect(address(app), name="Ada") as ada:
            assert ada.connected


async def test_a_renewed_certificate_is_used_for_whoever_comes_next(
    authority: trustme.CA, tmp_path: Path
) -> None:
    papers = Papers(authority, tmp_path / "papers")
    newer = Papers(authority, tmp_path / "newer")
    async with serving(**papers.settings) as app:
        before = await shown(app)
        shutil.copy(newer.certificate, papers.certificate)
        with structlog.testing.capture_logs() as diary:
            app.renew()  # half of it: the key is still the old one
        assert ["certificate_not_renewed"] == [line["event"] for line in diary]
        assert before == await shown(app)
        shutil.copy(newer.key, papers.key)
        app.renew()
        assert before != await shown(app)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda papers: papers.key.unlink(),
        lambda papers: papers.key.write_text("no key at all"),
        lambda papers: papers.certificate.write_bytes(papers.key.read_bytes()),
    ],
    ids=["missing", "no key", "no certificate"],
)
def test_papers_that_are_none_are_refused_in_a_line(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: object
) -> None:
    papers = Papers(authority, tmp_path / "papers")
    assert callable(spoil)
    spoil(papers)
    flags = ["--data", ":memory:", "--port", "0", "--host", "127.0.0.1"]
    paths = ["--tls-certificate", str(papers.certificate), "--tls-key", str(papers.key)]

    assert main([*flags, *paths]) == 2

    said = capsys.readouterr().err
    assert said.startswith("dormie-server: tls_")
    assert said.count("\n") == 1


def test_a_certificate_without_its_key_is_refused() -> None:
    with pytest.raises(BadSetting, match="go together"):
        read_settings({**QUICK, "tls_certificate": "certificate.pem"})

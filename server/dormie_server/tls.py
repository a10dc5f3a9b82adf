"""The certificate of a house that speaks TLS itself, without a proxy before it."""

import ssl
from pathlib import Path

from dormie_server.config import BadSetting, Settings


class Certificate:
    """A certificate and its key, read from files, and read again when they were renewed."""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Read both. Raises BadSetting when they cannot be read or do not belong together."""
        self._files = certificate, key
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        """What `serve` wants; connections that are open keep what they began with."""
        self.read()

    def read(self) -> None:
        """Take what the files hold now, for connections to come. Raises BadSetting, and keeps the old one."""
        certificate, key = self._files
        # A pair that does not fit would spoil the context in use: try it on another one first.
        _load(ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), certificate, key)
        _load(self.context, certificate, key)


def certificate_of(settings: Settings) -> Certificate | None:
    """The certificate the settings name, None when the house speaks plainly. Raises BadSetting."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    return Certificate(settings.tls_certificate, settings.tls_key)


def _load(context: ssl.SSLContext, certificate: Path, key: Path) -> None:
    for name, path in (("tls_certificate", certificate), ("tls_key", key)):
        try:
            path.read_bytes()
        except OSError as error:
            raise BadSetting(f"{name}: cannot read {path}: {error.strerror}") from None
    try:
        # A key under a password would wait for somebody to type it: it is refused instead.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except (ssl.SSLError, OSError, ValueError):
        raise BadSetting(
            f"tls_certificate: {certificate} and {key} are not a certificate and its key in PEM"
        ) from None

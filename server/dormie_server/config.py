"""The settings of a house, and where they come from.

A flag wins over an environment variable, that over a line in `.env`, that over the TOML file, and
that over the default below. The environment variable for a setting is its name behind `DORMIE_`, in
capitals: `DORMIE_PORT=8421`, `DORMIE_LIMITS__SOCKETS_PER_ADDRESS=200`. A list has commas.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    IPvAnyNetwork,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from dormie_server.addresses import LOOPBACK
from dormie_server.limits import Limits
from dormie_server.logs import Level, Style

MEMORY = ":memory:"


class BadSetting(Exception):
    """A setting that cannot be used, with a sentence that names it."""


def _by_comma(value: object) -> object:
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def _small(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _web_address(value: str) -> str:
    address = value.lower().rstrip("/")
    scheme, _, rest = address.partition("://")
    if scheme not in {"http", "https"} or not rest or "/" in rest:
        raise ValueError("should be like https://golf.example")
    return address


Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
Addresses = Annotated[tuple[WebAddress, ...], NoDecode, BeforeValidator(_by_comma)]
Networks = Annotated[tuple[IPvAnyNetwork, ...], NoDecode, BeforeValidator(_by_comma)]


class _OurLines(DotEnvSettingsSource):
    """The lines of `.env` that are meant for us; others use the file, too."""

    def __call__(self) -> dict[str, Any]:
        theirs = {name for name in self.env_vars if not name.startswith(self.env_prefix.lower())}
        theirs -= set(self.settings_cls.model_fields)
        return {name: value for name, value in super().__call__().items() if name not in theirs}


class Settings(BaseSettings):
    """Everything about a house that can be chosen."""

    model_config = SettingsConfigDict(
        env_prefix="DORMIE_",
        env_nested_delimiter="__",
        env_file=".env",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        validate_default=False,
    )

    # the door
    host: str = "0.0.0.0"  # noqa: S104 - friends on the same network are the point
    """Where to listen: everywhere by default, so that friends on the same network can join.
    127.0.0.1 is for this machine alone."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8421
    """0 is any that is free."""
    tls_certificate: Path | None = None
    """A certificate in PEM, with those that vouch for it; then the house speaks TLS by itself."""
    tls_key: Path | None = None
    """The certificate's key, in PEM and without a password."""
    public_url: WebAddress | None = None
    """How the house is reached from outside, if that is not host and port."""
    allowed_origins: Addresses = ()
    """Pages elsewhere that may connect; a page of this house always may, and programs may."""
    trusted_proxies: Networks = ()
    """Proxies that are believed when they say whom they speak for."""
    metrics_for: Networks = LOOPBACK
    """Who may read /metrics."""

    # the cupboard
    data: Annotated[str, Field(min_length=1)] = "dormie-data/dormie.db"
    """The file with the tables; `:memory:` forgets everything at the end."""
    synchronous: Literal["FULL", "NORMAL"] = "FULL"
    """FULL outlives a power cut; NORMAL only the death of the process, and is much faster."""
    store: SecretStr | None = None
    """A Redis instead of the file, for several servers: `redis://`, `rediss://`, `unix://` or
    `redis+sentinel://`. It may hold a password, and is never shown."""
    store_password_file: Path | None = None
    """A file with the password of that Redis, so that it need not be in the address."""

    # those who run it
    admin_socket: Annotated[str, Field(min_length=1)] = "auto"
    """Where a running server takes commands: a path, `auto` for one beside the file, or `off`."""

    # the tables
    turn_seconds: Annotated[int, Field(ge=5, le=14 * 86400)] = 60
    """For a turn, where the host of a table does not say."""
    pause_seconds: Seconds = 10
    """Between two holes."""
    gather_seconds: Seconds = 10
    """For contributions to luck, once a match is to start."""
    lobby_seconds: Seconds = 1800
    """For seats to fill, and after a match for a rematch."""
    idle_seconds: Seconds = 1800
    """For any person to do anything while a match is on."""
    bot_seconds: Annotated[float, Field(ge=0, le=60)] = 1
    """How long bots pretend to think."""
    tables_per_player: Annotated[int, Field(ge=1)] = 20
    tables: Annotated[int, Field(ge=1)] = 10_000
    """Open at once."""
    limits: Limits = Limits()

    # the line
    hello_seconds: Seconds = 5
    handshake_seconds: Seconds = 5
    ping_seconds: Seconds = 10
    """Between two pings, and for the answer to one."""
    close_seconds: Seconds = 2
    drain_seconds: Seconds = 4
    """From the first request to stop until the end, however stuck the clients are."""

    # the diary
    log_level: Annotated[Level, BeforeValidator(_small)] = "info"
    log_format: Annotated[Style, BeforeValidator(_small)] = "auto"

    @model_validator(mode="after")
    def _tls_is_whole(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - read by _OurLines
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - no secrets yet
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        lines, toml = _OurLines(settings_cls), TomlConfigSettingsSource(settings_cls)
        return init_settings, env_settings, lines, toml


def read_settings(flags: Mapping[str, object], toml: Path | None = None) -> Settings:
    """Return the settings, or raise BadSetting. *flags* has what was said on the command line.

    >>> read_settings({"port": 9000}).port
    9000
    >>> read_settings({"port": 99999})
    Traceback (most recent call last):
        ...
    dormie_server.config.BadSetting: port: Input should be less than or equal to 65535
    """

    class Here(Settings):
        model_config = SettingsConfigDict(toml_file=toml)

    try:
        if toml is not None:
            tomllib.loads(toml.read_text("utf-8"))  # the library skips a file that is missing
        chosen: dict[str, Any] = dict(flags)
        return Here(**chosen)
    except ValidationError as error:
        raise BadSetting(_sentence(error)) from None
    except SettingsError as error:
        raise BadSetting(str(error)) from None
    except OSError as error:
        raise BadSetting(f"cannot read {toml}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"cannot read {toml}: {error}") from None


def mistyped(variables: Iterable[str]) -> list[str]:
    """The environment variables that look like settings and are none; two are the terminal's.

    >>> mistyped(["DORMIE_PORT", "DORMIE_STROE", "DORMIE_LIMITS__SOCKETS", "dormie_url", "HOME"])
    ['DORMIE_STROE']
    """
    prefix = str(Settings.model_config["env_prefix"])
    ours = {*Settings.model_fields, "home", "url"}
    named = {name: name.upper().removeprefix(prefix).lower() for name in sorted(variables)}
    return [
        name
        for name, what in named.items()
        if name.upper().startswith(prefix) and what.partition("__")[0] not in ours
    ]


def layers(toml: Path | None = None) -> list[tuple[str, dict[str, Any]]]:
    """What each place says of the settings, the one that wins first; flags come before them all."""

    class Here(Settings):
        model_config = SettingsConfigDict(toml_file=toml)

    return [
        ("environment", EnvSettingsSource(Here)()),
        (".env", _OurLines(Here)()),
        (str(toml or "no file"), TomlConfigSettingsSource(Here)()),
    ]


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] in {"extra_forbidden", "unexpected_keyword_argument"}:
        return f"{name}: there is no such setting"
    said = first["msg"].removeprefix("Value error, ")
    return f"{name}: {said}" if name else said

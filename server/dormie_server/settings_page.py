"""`dormie-server config`: every setting that is in force, and where it comes from."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import SecretStr

from dormie_server.config import Settings, layers, read_settings

DEFAULT = "default"


class Line(NamedTuple):
    """One setting."""

    name: str
    value: str
    source: str


def lines(flags: Mapping[str, object], toml: Path | None = None) -> list[Line]:
    """Every setting by name, what it is, and who said so. Raises BadSetting.

    >>> [line for line in lines({"port": 9000}) if line.name in ("port", "bot_seconds")]
    [Line(name='port', value='9000', source='flag'), Line(name='bot_seconds', value='1', source='default')]
    """
    settings = read_settings(flags, toml)
    said = [("flag", dict(flags)), *layers(toml)]
    return [Line(name, _text(value), _who(name, said)) for name, value in _flat(settings)]


def page(flags: Mapping[str, object], toml: Path | None = None) -> str:
    """The same, for people. Secrets are not shown. Raises BadSetting."""
    rows = lines(flags, toml)
    widths = [max(len(row[at]) for row in rows) for at in range(2)]
    return "\n".join(
        f"{row.name:{widths[0]}}  {row.value:{widths[1]}}  {row.source}" for row in rows
    )


def _flat(settings: Settings) -> Iterator[tuple[str, Any]]:  # Any: a setting may be anything
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if is_dataclass(value):
            yield from ((f"{name}.{one.name}", getattr(value, one.name)) for one in fields(value))
        else:
            yield name, value


def _who(name: str, said: list[tuple[str, dict[str, Any]]]) -> str:
    """The first layer that speaks of a setting."""
    outer, _, inner = name.partition(".")
    for source, layer in said:
        if outer in layer and (not inner or inner in (layer[outer] or {})):
            return source
    return DEFAULT


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, SecretStr):
        return "(set, and not shown)"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "-"
    return str(value)

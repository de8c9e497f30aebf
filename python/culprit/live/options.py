# SPDX-License-Identifier: Apache-2.0
"""What the user says: torch.compile(model, backend="culprit", options={"backend": "inductor", "level": 4})."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from culprit import _culprit
from culprit.program import installed_command

#: Short for settings of docs/settings.md.
_SHORT = {"after": "repro_after", "level": "repro_level"}
#: Of the compiler that is watched.
COMPILER_OPTIONS = ("backend", "mode", "options", "dynamic")


@dataclass(frozen=True)
class Options:
    """The compiler, what it is told, and the settings of the watcher."""

    backend: str | Callable[..., Any] = "inductor"
    mode: str | None = None
    #: As in torch.compile(options=...).
    compiler_options: dict[str, Any] = field(default_factory=dict)
    dynamic: bool | None = None
    #: By name; those that are not given are as the environment says.
    settings: tuple[tuple[str, str], ...] = ()


def read_options(mode: str | None, options: Mapping[str, Any] | None) -> Options:
    """Names of settings are the watcher's, all others the compiler's. Raises ValueError for what is wrong."""
    known = {name: (value, origin) for name, value, origin in _culprit.settings()}
    given = dict(options or {})
    backend = given.pop("backend", None)
    if backend is None:
        value, origin = known["backend"]
        backend = "inductor" if origin == "default" else value
    mode = given.pop("mode", mode)
    compiler_options = dict(given.pop("options", None) or {})
    dynamic = given.pop("dynamic", None)
    settings = {}
    for name, value in given.items():
        setting = _SHORT.get(name, name)
        if setting in known:
            settings[setting] = _to_text(value)
        elif backend == "inductor":
            compiler_options[name] = value
        else:
            raise ValueError(_unknown(name, [*known, *_SHORT, *COMPILER_OPTIONS]))
    if "repro_after" not in settings and known["repro_after"][1] == "default":
        settings["repro_after"] = "aot"
    if "program" not in settings and known["program"][1] == "default" and (command := installed_command()):
        settings["program"] = command
    _culprit.check_settings(list(settings.items()))
    return Options(backend, mode, compiler_options, dynamic, tuple(settings.items()))


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _unknown(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"unknown option '{name}'" + (f", did you mean '{near[0]}'?" if near else "")

# SPDX-License-Identifier: Apache-2.0
"""What a job has found out. Each of these prints itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, repr=False)
class GraphResult:
    """Of one graph."""

    name: str
    #: The whole of it, with its inputs.
    file: Path
    #: What `culprit hunt --json` shows; empty if nothing is wrong.
    details: dict[str, Any] = field(default_factory=dict)
    #: Why nobody can tell: eager itself fails, or differs from itself.
    invalid: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.details)

    @property
    def signature(self) -> str:
        """What failed, in one line: "compare: wrong values in outputs[0] (call 1)"."""
        return str(self.details.get("signature", ""))

    @property
    def repro(self) -> Path | None:
        """The smallest program that fails in the same way."""
        return Path(self.details["repro"]) if self.failed else None

    @property
    def operators(self) -> list[str]:
        """Those that are left in it: "aten::hardswish"."""
        return [guilty["operator"] for guilty in self.details.get("guilty", ())]

    @property
    def verified(self) -> bool:
        """Whether it fails in a fresh process, too."""
        return bool(self.details.get("verified"))

    @property
    def summary(self) -> str:
        """A report for an issue tracker."""
        return (Path(self.details["folder"]) / "summary.md").read_text() if self.failed else ""

    def __repr__(self) -> str:
        if not self.failed:
            return f"{self.name}: {self.invalid or 'passes'}"
        before, after = self.details["before"], self.details["after"]
        lines = [f"{self.name}: {self.signature}"]
        lines += [f"  {guilty['operator']}  {_place(guilty)}".rstrip() for guilty in self.details["guilty"]]
        lines.append(
            f"  operators {before['operators']} -> {after['operators']}, bytes of inputs {before['bytes']} -> "
            f"{after['bytes']}, {'verified' if self.verified else 'not verified'}"
        )
        if passing := self.details.get("switches", {}).get("passes_with"):
            lines.append(f"  passes with {' or '.join(passing)}")
        lines.append(f"  repro {self.repro}")
        return "\n".join(lines)


def _place(guilty: Mapping[str, str]) -> str:
    """The line of the model, where it is known, not that of the file with the graph."""
    file, _, model = guilty.get("source", "").partition(" (")
    return model.partition(", code:")[0] or file


@dataclass(frozen=True, repr=False)
class HuntResult:
    """Of all graphs of a model."""

    #: In the order in which they were called.
    graphs: Sequence[GraphResult]
    #: Behind the first one that failed: written, and not hunted.
    left: Sequence[Path] = ()
    #: Graphs that no file can hold, with the reason.
    refused: Sequence[tuple[str, str]] = ()

    @property
    def failures(self) -> list[GraphResult]:
        return [graph for graph in self.graphs if graph.failed]

    @property
    def failed(self) -> bool:
        return bool(self.failures)

    def __repr__(self) -> str:
        lines = [repr(graph) for graph in self.graphs]
        lines += [f"{file.stem}: not looked at; to hunt there too: every=True" for file in self.left]
        lines += [f"{name}: cannot be kept: {reason}" for name, reason in self.refused]
        return "\n".join(lines) or "the model has no graph: torch.compile captured nothing"

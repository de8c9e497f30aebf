# SPDX-License-Identifier: Apache-2.0
"""What a compiler has to be so that it can be served."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch.fx


class Refusal(Exception):
    """The server has no way to hand over this graph. That says nothing about the compiler."""


@dataclass(frozen=True)
class Option:
    name: str
    default: str
    line: str
    choices: tuple[str, ...] = ()
    #: A file from a stranger may set it: it leads to no program and no folder.
    is_harmless: bool = False


@dataclass(frozen=True)
class Switch:
    """A part of the compiler that can be turned off."""

    name: str
    line: str


@dataclass
class Request:
    """A graph to compile."""

    graph: torch.fx.GraphModule
    #: Fake tensors, but for parameters that are frozen. Those of captured graphs require gradients as the real ones.
    inputs: list[Any]
    #: "input", "parameter" or "buffer", one per input; "size" of the integers that stand in front of them where sizes
    #: are symbols.
    kinds: list[str]
    #: What autograd made it for: "inference", "forward" or "backward"; "captured" if it is as it came.
    stage: str = "captured"
    #: One of those that `Compiler.graphs` names. With "captured", if the compiler gives gradients, they are recorded
    #: if `torch.is_grad_enabled()`, and inputs require them.
    graphs: str = "captured"
    #: As Culprit prints it; empty if it has large constants.
    text: str = ""
    #: Those that are not as the description says.
    options: dict[str, str] = field(default_factory=dict)
    #: As written behind `off=`: "fuse", "fuse@3", "fuse@3+".
    off: list[str] = field(default_factory=list)
    #: A folder of the query's own, which goes with it.
    folder: Path | None = None
    wants_artefacts: bool = False
    #: Files for whoever wants to look into the compiler, by name.
    artefacts: dict[str, str] = field(default_factory=dict)
    #: Seconds per phase.
    seconds: dict[str, float] = field(default_factory=dict)


class Compiler:
    """Subclass it, and hand an object to `serve`."""

    name = ""
    line = ""
    #: "captured", "aot" for those that Culprit's autograd makes of them, or "below" for graphs from below some
    #: autograd, as they are; the first is what it takes unless told.
    graphs: Sequence[str] = ("captured",)
    #: What it makes of captured graphs is called with inputs that require gradients, and gives outputs that
    #: `torch.autograd` can go back from.
    gradients = False
    #: The option that, set to 1, makes parameters constants of captured graphs that record no gradients.
    freezes_with = ""
    #: Parameters are inputs ("lifted") or constants ("frozen").
    parameters = "lifted"
    #: Types of devices whose tensors it takes.
    devices: Sequence[str] = ("cpu",)
    #: Sizes may differ from call to call.
    symbols = False
    #: Random operators draw numbers of the compiler's "own", or, from the same state of the generator, those of
    #: "eager". Numbers can be compared in the second case alone; in the first, eager's are inputs of the graph.
    random = "own"
    #: How many calls it takes until it has done all it does.
    calls = 1
    #: Loggers (of `logging`) of the compiler: whoever wants artefacts gets what they say, at any level, as `log.txt`.
    loggers: Sequence[str] = ()
    #: Children can be forked from the process that has warmed it up. If not, as with the context of a GPU, the
    #: program is started again for every query.
    forks = True

    def options(self) -> Sequence[Option]:
        return ()

    def switches(self) -> Sequence[Switch]:
        return ()

    def versions(self) -> dict[str, str]:
        return {}

    def warm_up(self, folder: Path) -> None:
        """Before children are forked, with a folder for what is made once. Leaves no thread behind."""

    def in_python(self, options: dict[str, str], off: list[str], graphs: str, symbols: bool) -> str | None:
        """Code for a file in which `mod` is the graph: a function `compiled(args)` that returns what can be
        called with the arguments. With "aot" autograd has to stand in front of the compiler. With `symbols` sizes have
        to be symbols."""
        return None

    def in_plain_calls(self, script: str, options: dict[str, str], off: list[str]) -> str | None:
        """The repro `script`, a text of Culprit's own, as a user of the compiler would write it: a program that
        raises an AssertionError if results are wrong. It is tried before anybody sees it. A Refusal says why this
        one cannot be written so."""
        return None

    def compile(self, request: Request) -> Callable[..., Sequence[Any]]:
        """What it returns is called with one value per input, and gives one per output."""
        raise NotImplementedError

# SPDX-License-Identifier: Apache-2.0
"""One graph as a compiler has made it. Where its sizes are symbols, it is compiled again for those that what was
compiled before cannot take: a compiler may assume something about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from culprit.servers import graphs, logs
from culprit.servers.compiler import Compiler, Request
from culprit.servers.eager import eager
from culprit.servers.gradients import modes, requires_gradient, with_history
from culprit.servers.sizes import Sizes
from culprit.servers.tensors import Arena


class Compiled:
    def __init__(self, compiler: Compiler, message: dict[str, Any], arena: Arena, folder: Path) -> None:
        """`message` is the question, and `arena` the memory of its constants and frozen parameters."""
        self._compiler = compiler
        self._message = message
        self._arena = arena
        self._folder = folder
        placeholders = message["graph"]["placeholders"]
        self._kinds = [placeholder["kind"] for placeholder in placeholders]
        takes_symbols = compiler.symbols and not message["eager"]
        self._symbols = [placeholder["symbols"] if takes_symbols else [] for placeholder in placeholders]
        #: Of the newest compilation, whether it ends or not.
        self.artefacts: dict[str, str] = {}
        self._variants: list[tuple[Sizes, Callable[..., Sequence[Any]]]] = []

    def compile(self, inputs: list[Any]) -> dict[str, Any]:
        """For inputs as they are described. Gives what the answer says."""
        module = graphs.build(self._message["graph"], self._arena)
        if self._message["eager"]:
            self._variants.append((Sizes(self._symbols, inputs), eager(module)))
            return {"artefacts": {}, "seconds": {}}
        sizes = Sizes(self._symbols, inputs)
        examples = graphs.example_inputs(inputs, sizes, self._arena)
        if self._message.get("records"):
            for value, example in zip(inputs, examples, strict=True):
                if requires_gradient(value):
                    with_history(value, example)
        lifted = sizes.lift(module)
        request = Request(
            graph=module,
            inputs=lifted + examples,
            kinds=["size"] * len(lifted) + self._kinds,
            options=self._message["options"],
            off=self._message["off"],
            stage=self._message["stage"],
            graphs=self._message.get("graphs", "captured"),
            text=self._message["text"],
            folder=self._folder,
            wants_artefacts=self._message["wants_artefacts"],
        )
        self.artefacts = request.artefacts
        with modes(self._message), logs.kept(request, self._compiler.loggers):
            function = self._compiler.compile(request)
        sizes.close()
        self._variants.append((sizes, function))
        return {"artefacts": request.artefacts, "seconds": request.seconds}

    def call(self, inputs: list[Any], values: list[Any], arena: Arena) -> Sequence[Any]:
        """Of `values`, which lie in `arena` as `inputs` describe them."""
        sizes, function = self._variant_for(inputs, arena)
        return function(*sizes.lifted_values(inputs), *values)

    def _variant_for(self, inputs: list[Any], arena: Arena) -> tuple[Sizes, Callable[..., Sequence[Any]]]:
        if not any(map(any, self._symbols)):
            return self._variants[0]
        for variant in self._variants:
            if variant[0].hold(inputs):
                return variant
        self.compile(graphs.described(inputs, arena))
        return self._variants[-1]

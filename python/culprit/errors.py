# SPDX-License-Identifier: Apache-2.0
"""What a watched program can throw that the program itself cannot.

What the program throws comes out as it is. If a compiler is to blame for it, notes behind its message name the
repro.
"""

from __future__ import annotations

import torch._dynamo.debug_utils
import torch._dynamo.exc


class Failure(Exception):
    """A compiler has failed on a graph of the program."""

    #: `<model>_<n>_<captured|forward|backward|inference>`
    graph: str
    #: What failed, in one line: "compare: wrong values in outputs[0] (call 1)".
    signature: str
    #: A file for `culprit minify`; empty if none was written.
    repro: str


class BackendCompilerFailed(torch._dynamo.exc.BackendCompilerFailed, Failure):
    """A compilation threw. `inner_exception` is what it threw, as for PyTorch's class."""

    def __init__(
        self, text: str, graph: str, signature: str, repro: str, inner: Exception | None = None
    ) -> None:
        super().__init__("culprit", inner or RuntimeError(text), None)
        self.args = (text.removesuffix("\n"),)
        self.graph = graph
        self.signature = signature
        self.repro = repro


class AccuracyError(torch._dynamo.debug_utils.AccuracyError, Failure):
    """What was compiled computes other numbers than the program."""

    def __init__(
        self, text: str, graph: str, signature: str, repro: str, inner: Exception | None = None
    ) -> None:
        super().__init__(text.removesuffix("\n"))
        self.inner_exception = inner
        self.graph = graph
        self.signature = signature
        self.repro = repro

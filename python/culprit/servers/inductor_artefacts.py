# SPDX-License-Identifier: Apache-2.0
"""What Inductor makes of a graph, for whoever looks into it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from unittest import mock

import torch.fx
from torch._inductor.graph import GraphLowering

from culprit.servers.compiler import Request

#: In the generated Python code.
_KERNEL = re.compile(r"r'''\n(#include.*?)'''", re.DOTALL)


@contextlib.contextmanager
def kept(request: Request, graph: torch.fx.GraphModule, part: str = "") -> Iterator[None]:
    """The generated code, each kernel in C++ beside it, and the graph after Inductor's own passes. They are there
    even if something fails on the way. Names begin with `part`."""
    if not request.wants_artefacts:
        yield
        return
    beginning = f"inductor_{part}"

    def keep(code: str) -> None:
        request.artefacts[f"{beginning}code.py"] = code
        for i, kernel in enumerate(_KERNEL.findall(code), 1):
            request.artefacts[f"{beginning}kernel_{i}.cpp"] = kernel

    try:
        with mock.patch.object(GraphLowering, "save_output_code", staticmethod(keep)):
            yield
    finally:
        request.artefacts[f"{beginning}graph.py"] = graph.print_readable(print_output=False)

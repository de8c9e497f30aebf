# SPDX-License-Identifier: Apache-2.0
"""Operators that eager's kernels compute, by name: `inductor:fallback=aten.exp+aten.sin`. With the overload, it is
that one alone: `aten.sum.dim_IntList`."""

from __future__ import annotations

import difflib

import torch
from torch._inductor.lowering import lowerings

from culprit.servers.compiler import Refusal

OPTION = "fallback"
LINE = "operators that eager's kernels compute: aten.exp+aten.sin"


def read(options: dict[str, str]) -> set[torch._ops.OpOverload]:
    names = [name for name in options.get(OPTION, "").split("+") if name]
    lowered = [one for one in lowerings if isinstance(one, torch._ops.OpOverload)]
    known = {text for one in lowered for text in (str(one), str(one.overloadpacket))}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), 1)
            raise Refusal(f"Inductor lowers no operator '{name}'" + (f", did you mean '{near[0]}'?" if near else ""))
    return {one for one in lowered if str(one) in names or str(one.overloadpacket) in names}

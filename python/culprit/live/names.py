# SPDX-License-Identifier: Apache-2.0
"""Names of graphs: `<model>_<n>_<captured|forward|backward|inference>`, as for C++ programs."""

from __future__ import annotations

import collections
import itertools
import re

import torch
from torch._dynamo.symbolic_convert import InstructionTranslator, tls

_numbers: collections.defaultdict[str, itertools.count[int]] = collections.defaultdict(itertools.count)


def next_name() -> str:
    """Of the graph that Dynamo has captured now, without the last part. Each is given once."""
    model = _model()
    return f"{model}_{next(_numbers[model])}"


def _model() -> str:
    """The class of the module whose method is compiled, or the function."""
    translator = InstructionTranslator.current_tx() if hasattr(tls, "current_tx") else None
    if translator is None:
        return "graph"
    code = translator.f_code
    first = translator.f_locals.get(code.co_varnames[0]) if code.co_argcount > 0 else None
    # Modules and functions of PyTorch itself are called by a function of Dynamo's.
    if code.co_name == "inner" and "fn" in translator.f_locals:
        function = translator.f_locals["fn"]
        first = getattr(function, "__self__", function)
    if isinstance(first, torch.nn.Module):
        return _identifier(type(first).__name__)
    return _identifier(function_name(code.co_name))


def function_name(name: str) -> str:
    """Of the program: what comes behind a graph break has a name of Dynamo's."""
    return re.sub(r"^torch_dynamo_resume_in_(.*)_at_\d+$", r"\1", name)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name).strip("_").lower() or "graph"

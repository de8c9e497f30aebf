# SPDX-License-Identifier: Apache-2.0
"""culprit.explain(model, x): what torch.compile makes of a model before a compiler sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
import torch._functorch.config
import torch.fx
from torch._dynamo.backends.common import AotAutograd
from torch._dynamo.backends.debugging import boxed_nop
from torch._dynamo.utils import counters

from culprit.jobs.running import Loss, run_copy
from culprit.live.names import function_name, next_name


@dataclass(frozen=True, repr=False)
class ExplainedGraph:
    """One graph of Dynamo."""

    name: str
    captured: torch.fx.GraphModule
    #: Below autograd: joint, forward, backward or inference, as far as they were made.
    split: dict[str, torch.fx.GraphModule] = field(default_factory=dict)

    def __repr__(self) -> str:
        counts = {"captured": self.captured, **self.split}
        told = [f"{_operators_in(gm)} {kind}" for kind, gm in counts.items()]
        return f"{self.name}: operators {', '.join(told)}"


@dataclass(frozen=True, repr=False)
class GraphBreak:
    """Why Dynamo ended a graph."""

    reason: str
    #: PyTorch's number of the kind of break, as in GB0059; empty if it has none.
    code: str
    #: Lines of the program, the innermost last: "net.py:7 in forward".
    stack: Sequence[str]

    def __repr__(self) -> str:
        place = f"{self.stack[-1]}: " if self.stack else ""
        number = f" ({self.code})" if self.code else ""
        return f"{place}{self.reason}{number}"


@dataclass(frozen=True, repr=False)
class Explanation:
    graphs: Sequence[ExplainedGraph]
    breaks: Sequence[GraphBreak]
    #: Of functions that run as they are, without a graph: reason and how often.
    not_captured: Mapping[str, int]

    def __repr__(self) -> str:
        lines = [f"{_many(self.graphs, 'graph')}, {_many(self.breaks, 'break')}"]
        lines += [f"  {graph}" for graph in self.graphs]
        lines += [f"break: {each}" for each in self.breaks]
        lines += [f"not captured: {reason} ({count} times)" for reason, count in self.not_captured.items()]
        return "\n".join(lines)


def explain(
    model: Callable[..., Any],
    *inputs: Any,
    dynamic: bool | None = None,
    keywords: Mapping[str, Any] | None = None,
    loss: Loss | None = None,
) -> Explanation:
    """Calls a copy of the model once, forward and backward, and tells its graphs, the breaks between them, and what
    autograd makes of each."""
    explainer = _Explainer()

    def compile(target: Callable[..., Any]) -> Callable[..., Any]:
        return torch.compile(target, backend=explainer, dynamic=dynamic)

    before = dict(counters["graph_break"])
    run_copy(model, inputs, keywords or {}, compile, loss)
    reasons = {reason: count - before.get(reason, 0) for reason, count in counters["graph_break"].items()}
    told = tuple(each.full_reason for each in explainer.breaks)
    rest = {_sentence(reason): n for reason, n in reasons.items() if n > 0 and not reason.startswith(told)}
    return Explanation(explainer.graphs, [each.graph_break for each in explainer.breaks], rest)


@dataclass(frozen=True)
class _Break:
    full_reason: str
    graph_break: GraphBreak


class _Explainer:
    """A backend of torch.compile that compiles nothing."""

    def __init__(self) -> None:
        self.graphs: list[ExplainedGraph] = []
        self.breaks: list[_Break] = []

    def __call__(self, gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> Any:
        graph = ExplainedGraph(next_name(), gm)
        self.graphs.append(graph)
        why = getattr(gm, "compile_subgraph_reason", None)
        if why is not None and why.graph_break:
            self.breaks.append(_break_of(why))
        with torch._functorch.config.patch(enable_autograd_cache=False):
            return AotAutograd(
                fw_compiler=_keep(graph, "forward"),
                bw_compiler=_keep(graph, "backward"),
                inference_compiler=_keep(graph, "inference"),
                partition_fn=_keep_joint(graph),
                keep_inference_input_mutations=True,
            )(gm, inputs)


def _keep(graph: ExplainedGraph, kind: str) -> Callable[..., Any]:
    def compile(gm: torch.fx.GraphModule, inputs: Sequence[Any], **_: Any) -> Any:
        graph.split[kind] = gm
        return boxed_nop(gm, inputs)

    return compile


def _keep_joint(graph: ExplainedGraph) -> Callable[..., Any]:
    from functorch.compile import min_cut_rematerialization_partition

    def partition(joint: torch.fx.GraphModule, *arguments: Any, **keywords: Any) -> Any:
        # The partitioner changes the one that it is given.
        graph.split["joint"] = torch.fx.GraphModule(joint, _copy(joint.graph))
        return min_cut_rematerialization_partition(joint, *arguments, **keywords)

    return partition


def _copy(graph: torch.fx.Graph) -> torch.fx.Graph:
    copy = torch.fx.Graph()
    copy.output(copy.graph_copy(graph, {}))
    return copy


def _break_of(why: Any) -> _Break:
    stack = [f"{frame.filename}:{frame.lineno} in {function_name(frame.name)}" for frame in why.user_stack]
    # At its end is the address of the page about it.
    page = re.search(r"/gb(\d+)", why.reason)
    return _Break(why.reason, GraphBreak(_sentence(why.reason), f"GB{page[1]}" if page else "", stack))


def _sentence(reason: str) -> str:
    if reason.startswith("generic_jump"):
        return "a branch on the numbers of a tensor"
    lines = [line.strip() for line in reason.strip().splitlines()] or ["no reason"]
    explanations = [line.partition(": ")[2] for line in lines if line.startswith("Explanation: ")]
    return ": ".join(lines[:1] + explanations[:1])


def _operators_in(gm: torch.fx.GraphModule) -> int:
    return sum(node.op in ("call_function", "call_method", "call_module") for node in gm.graph.nodes)


def _many(things: Sequence[Any], word: str) -> str:
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"

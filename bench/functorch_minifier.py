#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""functorch's minifier on graphs in Culprit's text form, for bench/minify_bench.cc.

    functorch_minifier.py CASES MOST_QUERIES MOST_SECONDS

Each line of the file CASES is a case: the path of a graph and the name of an oracle. Each line of the output is a JSON
object with what the minifier did. The oracles are those of bench/marked_graph.h:

    one       a live erf
    pair      a live atan of the result of an erf
    far       a live erf and a live atan
    numbers   the results change when every erf is taken times 1.5
"""
import contextlib
import io
import json
import operator
import sys
import time

import torch
import torch.fx as fx
from functorch.compile import minifier

ERF, ATAN = torch.ops.aten.erf.default, torch.ops.aten.atan.default


class Reader:
    """Makes the inputs that load_args describes; storages without contents hold normal numbers or zeros."""

    def __init__(self):
        self.inputs = []

    def storage(self, _, size, **__):
        return [torch.randn(size // 4 + 1).view(torch.uint8)[:size], False]

    def tensor(self, storage, sizes, strides=None, storage_offset=0, dtype=torch.float32, **_):
        data, filled = storage
        flat = data.view(dtype) if filled or dtype.is_floating_point else torch.zeros_like(data).view(dtype)
        if strides is None:
            self.inputs.append(flat[storage_offset:].flatten()[:torch.Size(sizes).numel()].reshape(sizes))
        else:
            self.inputs.append(torch.as_strided(flat, sizes, strides, storage_offset))

    def symint(self, value, **_):
        self.inputs.append(value)


def fill(storage, values):
    return [values.flatten().view(torch.uint8), True]


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def load(path):
    scope = {"torch": torch, "fill": fill, "seeded": seeded, "device": torch.device, "inf": float("inf")}
    with open(path, encoding="utf-8") as file:
        exec(file.read(), scope)  # pylint: disable=exec-used
    reader = Reader()
    scope["load_args"](reader)
    return scope["Repro"](), reader.inputs


class OperatorCalls:
    """Stands for the module `torch` while forward is traced, since operators do not look for proxies themselves."""

    def __init__(self, tracer, path=()):
        self._tracer, self._path = tracer, path

    def __getattr__(self, name):
        path, value = (*self._path, name), torch
        for part in path:
            value = getattr(value, part)
        if isinstance(value, torch._ops.OpOverload):
            return lambda *args, **kwargs: self._call(value, args, kwargs)
        return OperatorCalls(self._tracer, path) if path[0] == "ops" else value

    def _call(self, target, args, kwargs):
        result = self._tracer.create_proxy("call_function", target, args, kwargs)
        count = len(target._schema.returns)
        return result if count == 1 else tuple(result[i] for i in range(count))


def traced(module):
    tracer = fx.Tracer()
    module.forward.__func__.__globals__["torch"] = OperatorCalls(tracer)
    graph = tracer.trace(module)
    graph.eliminate_dead_code()
    return fx.GraphModule(module, graph)


def is_operator(node):
    return node.op == "call_function" and node.target is not operator.getitem


def live_nodes(graph):
    live = set()
    for node in reversed(graph.nodes):
        if node.op == "output" or node in live:
            live.update(node.all_input_nodes)
    return live


class Wrong(fx.Interpreter):
    def call_function(self, target, args, kwargs):
        result = super().call_function(target, args, kwargs)
        return result * 1.5 if target is ERF else result


def differ(a, b):
    if isinstance(a, (list, tuple)):
        return any(differ(x, y) for x, y in zip(a, b, strict=True))
    return isinstance(a, torch.Tensor) and not torch.allclose(a, b, rtol=1e-4, atol=1e-6, equal_nan=True)


def wrong_numbers(module, inputs):
    with torch.no_grad():
        copies = [[value.clone() if isinstance(value, torch.Tensor) else value for value in inputs] for _ in range(2)]
        return differ(fx.Interpreter(module).run(*copies[0]), Wrong(module).run(*copies[1]))


def fails(module, inputs, oracle):
    if oracle == "numbers":
        return wrong_numbers(module, inputs)
    live = live_nodes(module.graph)
    erf = [node for node in live if node.target is ERF]
    atan = [node for node in live if node.target is ATAN]
    if oracle == "pair":
        return any(node.args[0] in erf for node in atan)
    return bool(erf) and (oracle == "one" or bool(atan))


class EnoughAsked(Exception):
    pass


def status(key):
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(key))


def run(path, oracle, most_queries, most_seconds):
    module, inputs = load(path)
    module = traced(module)
    asked, smallest, inside = [], sum(map(is_operator, module.graph.nodes)), 0.0
    before = status("VmRSS:")
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    begin = time.monotonic()

    def module_fails(candidate, values):
        nonlocal smallest, inside
        if len(asked) >= most_queries or time.monotonic() - begin > most_seconds:
            raise EnoughAsked
        start = time.monotonic()
        result = fails(candidate, values, oracle)
        inside += time.monotonic() - start
        operators = [node.name for node in candidate.graph.nodes if is_operator(node)]
        asked.append(hash(tuple(operators)))
        if result:
            smallest = min(smallest, len(operators))
        return result

    ended = True
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            minifier(module, inputs, module_fails, dump_state=lambda *_: None)
    except EnoughAsked:
        ended = False
    except RuntimeError as error:
        # It came to its end with a graph that does not fail any more; the smallest that did counts.
        if "Final graph is not failing" not in str(error):
            raise
    seconds = time.monotonic() - begin
    return {"queries": len(asked), "distinct": len(set(asked)), "seconds": seconds, "outside": seconds - inside,
            "megabytes": status("VmHWM:") - before, "left": smallest, "ended": ended}


def main():
    most_queries, most_seconds = int(sys.argv[2]), float(sys.argv[3])
    with open(sys.argv[1], encoding="utf-8") as cases:
        for line in cases:
            print(json.dumps(run(*line.split(), most_queries, most_seconds)), flush=True)


if __name__ == "__main__":
    main()

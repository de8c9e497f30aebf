# SPDX-License-Identifier: Apache-2.0
"""A compiler that runs graphs as they are, and breaks in the way that its option `fault` says. With `--restart` it is
started again for every query, with `--eager-random` it draws eager's random numbers, with `--gradients` it gives
gradients, with `--whole` it takes graphs below autograd and, if that is wanted, captured ones, with `--frozen` it has
parameters as constants."""

import ctypes
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from culprit.servers import Compiler, Option, Refusal, Request, serve
from torch._subclasses.fake_tensor import FakeTensor


class ToyError(Exception):
    pass


def eat_memory() -> None:
    eaten = []
    while True:
        eaten.append(bytearray(os.urandom(1 << 20) * 16))


def crash_in_own_code() -> None:
    """In a library that lies, as generated code does, in the folder of the query."""
    with open("own.c", "w") as file:
        file.write("int crash_here(void) { return *(volatile int*)0; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-O0", "own.c", "-o", "own.so"], check=True)
    ctypes.CDLL(os.path.abspath("own.so")).crash_here()


def overflow_the_stack() -> None:
    sys.setrecursionlimit(1 << 30)

    def call_again(_: int) -> Any:
        return list(map(call_again, (0,)))

    call_again(0)


def throw(error: Exception) -> None:
    raise error


def known_inputs(request: Request) -> str:
    known = [isinstance(value, torch.Tensor) and not isinstance(value, FakeTensor) for value in request.inputs]
    return " ".join(f"{kind} {'known' if is_known else 'unknown'}" for kind, is_known in zip(request.kinds, known, strict=True))


FAULTS: dict[str, Callable[[Request], Any]] = {
    "throw": lambda _: throw(ToyError("it does not compile")),
    "show_text": lambda request: throw(ToyError(next(line.strip() for line in request.text.splitlines() if "aten" in line))),
    "show_isa": lambda _: throw(ToyError(os.environ["ATEN_CPU_CAPABILITY"])),
    "show_threads": lambda _: throw(ToyError(["one", "two", "three"][torch.get_num_threads() - 1])),
    "show_known": lambda request: throw(ToyError(known_inputs(request))),
    "refuse": lambda _: throw(Refusal("it is too odd")),
    "crash": lambda _: ctypes.string_at(0),
    "crash_in_own_code": lambda _: crash_in_own_code(),
    "abort": lambda _: os.abort(),
    "stack_overflow": lambda _: overflow_the_stack(),
    "exit": lambda _: os._exit(3),
    "exit_well": lambda _: os._exit(0),
    "cannot_serve": lambda _: os._exit(70),
    "hang": lambda _: time.sleep(3600),
    "memory": lambda _: eat_memory(),
    "fork": lambda _: os.fork() or time.sleep(3600),
}
#: What an output becomes.
SPOILED: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "wrong": lambda output: output + 1,
    "nan": lambda output: output * torch.nan,
    "shape": lambda output: output.unsqueeze(0),
    "dtype": lambda output: output.double(),
}
BACKWARD = ("wrong_gradient", "throw_backward", "crash_backward")


class Broken(torch.autograd.Function):
    """Its gradient is twice what it should be, or does not come."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, fault: str) -> torch.Tensor:
        ctx.fault = fault
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *tangents: Any) -> Any:
        if ctx.fault == "throw_backward":
            raise ToyError("it does not go back")
        if ctx.fault == "crash_backward":
            ctypes.string_at(0)
        return tangents[0] * 2, None


class Spoiled(torch.fx.Interpreter):
    """Runs a graph whose gradients go wrong at one operator: aten.tanh.default."""

    def __init__(self, graph: torch.fx.GraphModule, name: str) -> None:
        super().__init__(graph)
        self._name = name

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = super().call_function(target, args, kwargs)
        return Broken.apply(result, "wrong_gradient") if str(target) == self._name else result


class Toy(Compiler):
    name = "toy"
    line = "runs graphs as they are"
    forks = "--restart" not in sys.argv
    gradients = "--gradients" in sys.argv
    graphs = ("aot", "captured") if "--whole" in sys.argv else ("captured",)
    parameters = "frozen" if "--frozen" in sys.argv else "lifted"
    random = "eager" if "--eager-random" in sys.argv else "own"

    def versions(self) -> dict[str, str]:
        return {"torch": torch.__version__}

    def options(self) -> Sequence[Option]:
        spoils = Option("spoils", "", "the operator whose gradient is wrong", is_harmless=True)
        faults = ("none", "write", "late", "wrong_above", *SPOILED, *BACKWARD, *FAULTS)
        return [
            spoils,
            Option("fault", "none", "what goes wrong", faults),
            Option("at", "compile", "when what ends the process does", ("compile", "call")),
        ]

    def compile(self, request: Request) -> Callable[..., Sequence[Any]]:
        fault = request.options.get("fault", "none")
        request.seconds["thinking"] = 0.25
        breaks_when_called = request.options.get("at") == "call"
        if fault in FAULTS and not breaks_when_called:
            FAULTS[fault](request)
        if fault == "fork":
            time.sleep(3600)

        run = Spoiled(request.graph, request.options["spoils"]).run if "spoils" in request.options else request.graph

        calls = itertools.count(1)

        def call(*inputs: Any) -> Sequence[Any]:
            if fault in FAULTS and breaks_when_called:
                FAULTS[fault](request)
            outputs = run(*inputs)
            is_late = next(calls) > 1
            if fault in SPOILED:
                return [SPOILED[fault](output) for output in outputs]
            is_above = request.graphs == "captured"
            if (fault == "late" and is_late) or (fault == "wrong_above" and is_above):
                return [output + 1 for output in outputs]
            if fault in BACKWARD:
                return [Broken.apply(output, fault) for output in outputs]
            if fault == "write":
                inputs[0].add_(1)
            return outputs

        return call


if __name__ == "__main__":
    serve(Toy())

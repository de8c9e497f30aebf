# SPDX-License-Identifier: Apache-2.0
"""A compiler that runs graphs as they are, and breaks in the way that its option `fault` says."""

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from culprit.servers import Compiler, Option, Refusal, Request, serve


class ToyError(Exception):
    pass


def eat_memory() -> None:
    eaten = []
    while True:
        eaten.append(bytearray(os.urandom(1 << 20) * 16))


FAULTS: dict[str, Callable[[], Any]] = {
    "throw": lambda: (_ for _ in ()).throw(ToyError("it does not compile")),
    "refuse": lambda: (_ for _ in ()).throw(Refusal("it is too odd")),
    "crash": lambda: ctypes.string_at(0),
    "abort": os.abort,
    "exit": lambda: os._exit(3),
    "cannot_serve": lambda: os._exit(70),
    "hang": lambda: time.sleep(3600),
    "memory": eat_memory,
    "fork": lambda: os.fork() or time.sleep(3600),
}


class Toy(Compiler):
    name = "toy"
    line = "runs graphs as they are"

    def options(self) -> Sequence[Option]:
        return [Option("fault", "none", "what goes wrong", ("none", "wrong", "write", *FAULTS))]

    def compile(self, request: Request) -> Callable[..., Sequence[Any]]:
        fault = request.options.get("fault", "none")
        if fault in FAULTS:
            FAULTS[fault]()
        if fault == "fork":
            time.sleep(3600)

        def call(*inputs: Any) -> Sequence[Any]:
            outputs = request.graph(*inputs)
            if fault == "wrong":
                return [output + 1 for output in outputs]
            if fault == "write":
                inputs[0].add_(1)
            return outputs

        return call


if __name__ == "__main__":
    serve(Toy())

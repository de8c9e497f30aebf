# SPDX-License-Identifier: Apache-2.0
"""Runs a repro as its main part does, and says what PyTorch gets and whether it gets the same arguments and outputs.

    python3 hand_over.py REPRO

In the place of PyTorch's run_repro, which would go on to compile, stands a function with its signature. As the original does,
it calls load_args twice: with PyTorch's reader that only counts, then with PyTorch's reader that makes tensors.
"""
import inspect
import runpy
import sys

import torch
from torch._dynamo.debug_utils import InputReader, NopInputReader
from torch._dynamo.repro import after_aot

signature = inspect.signature(after_aot.run_repro)
calls = []


def run_repro(*args, **kwargs):
    given = signature.bind(*args, **kwargs)
    given.apply_defaults()
    given = given.arguments
    assert not given["kwargs"], f"PyTorch does not know {given['kwargs']}"
    given["load_args"](NopInputReader())
    reader = InputReader(save_dir=given["save_dir"])
    given["load_args"](reader)
    calls.append((given, torch.is_grad_enabled(), given["mod"](*reader.args)))


after_aot.run_repro = run_repro
expected = runpy.run_path(sys.argv[1], run_name="repro")["run"]()
runpy.run_path(sys.argv[1], run_name="__main__")
given, grad, outputs = calls[0]
print(*(given[name] for name in ("command", "accuracy", "save_dir", "tracing_mode", "check_str")), grad)
print("same" if all(torch.equal(a, b) for a, b in zip(expected, outputs, strict=True)) else "different")

# SPDX-License-Identifier: Apache-2.0
"""Runs a repro as if PyTorch 2.x were installed, and says whether it got the same arguments and outputs.

    /usr/bin/python3 hand_over.py REPRO

A stand-in for torch._dynamo.repro.after_aot.run_repro with the same signature is put in place. As the original does, it
calls load_args twice: first with a reader that only counts, then with one that makes tensors over untyped storages.
"""
import runpy
import sys
import types

import torch


class CountingReader:
    def __init__(self):
        self.total = 0

    def storage(self, storage_hash, nbytes, *, device=None, dtype_hint=None):
        self.total += 1

    def tensor(self, *args, **kwargs):
        pass

    symint = const = generator = unsupported = opaque = tensor


class StorageReader:
    def __init__(self):
        self.args = []

    def storage(self, storage_hash, nbytes, *, device=None, dtype_hint=None):
        return torch.zeros(nbytes, dtype=torch.uint8).storage().untyped()

    def tensor(self, storage, shape, stride=None, *, storage_offset=None, dtype=None, requires_grad=None, is_leaf=None,
               **metadata):
        stride = torch.empty(shape, device="meta").stride() if stride is None else stride
        dtype = torch.float32 if dtype is None else dtype
        tensor = torch.empty(0, dtype=dtype).set_(storage, storage_offset or 0, shape, stride)
        if requires_grad:
            tensor.requires_grad_()
        self.args.append(tensor)
        return tensor

    def symint(self, value, *, expr=None):
        self.args.append(value)


calls = []


def run_repro(mod, load_args, *, command="run", accuracy="", save_dir=None, tracing_mode=None, patch_code=None,
              check_str=None, **kwargs):
    load_args(CountingReader())
    reader = StorageReader()
    load_args(reader)
    calls.append((command, accuracy, save_dir, tracing_mode, check_str, torch.is_grad_enabled(), mod(*reader.args)))


for name in ("torch._dynamo", "torch._dynamo.repro", "torch._dynamo.repro.after_aot"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["torch._dynamo.repro.after_aot"].run_repro = run_repro
expected = runpy.run_path(sys.argv[1], run_name="repro")["run"]()
runpy.run_path(sys.argv[1], run_name="__main__")
command, accuracy, save_dir, tracing_mode, check_str, grad, outputs = calls[0]
print(command, accuracy, save_dir, tracing_mode, check_str, grad)
print("same" if all(torch.equal(a, b) for a, b in zip(expected, outputs)) else "different")

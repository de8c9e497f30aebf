# SPDX-License-Identifier: Apache-2.0
"""Writes files as users of PyTorch have them: save_files.py FOLDER."""
import collections
import pathlib
import sys

import torch

folder = pathlib.Path(sys.argv[1])
x = torch.arange(6.0).reshape(2, 3).t()
model = torch.nn.Linear(3, 2)
for name, value in {
    "tensor": x,
    "bfloat16": x.to(torch.bfloat16),
    "view": x[1:],
    "parameter": torch.nn.Parameter(x),
    "list": [x, x[0]],
    "tuple": (x, 3, -2.5, "text", None, True),
    "one_element": {"a": x},
    "ordered": collections.OrderedDict(a=x, b=1 << 40),
    "state_dict": model.state_dict(),
    "module": model,
}.items():
    torch.save(value, folder / f"{name}.pt")
torch.save(x, folder / "old_format.pt", _use_new_zipfile_serialization=False)
torch.jit.script(model).save(str(folder / "scripted.pt"))
torch.jit.trace(model, x.t()).save(str(folder / "traced.pt"))

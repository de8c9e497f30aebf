#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces small nets into a folder: python3 trace_nets.py OUTDIR. Lines of this file are named by tests."""
import pathlib
import sys

import torch

folder = pathlib.Path(sys.argv[1])


def save(name, model, *arguments):
    torch.jit.trace(model.eval(), arguments, check_trace=False).save(str(folder / f"{name}.pt"))


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x))  # the line of the conv


class Net(torch.nn.Module):
    """Sizes as transformers have them: heads, windows, padding."""

    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.Sequential(Block(), Block())

    def forward(self, x):
        x = self.blocks(x)
        batch, channels, height, width = x.shape
        pad = (4 - width % 4) % 4
        x = torch.nn.functional.pad(x, (0, pad))
        heads = x.view(batch * 2, channels // 2, height, width + pad)
        steps = batch
        steps += 1
        return heads.flatten(2) * (channels // 2) ** -0.5, torch.arange(steps), torch._shape_as_tensor(heads)


class WithConstant(torch.nn.Module):
    """pytorch 90367: freezing makes a bool of the constant, which aten::add does not take."""

    def forward(self, x):
        return torch.add(x, torch.tensor(True))


save("net", Net(), torch.rand(2, 4, 6, 6))
save("constant", WithConstant(), torch.rand(3))

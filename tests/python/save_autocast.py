# SPDX-License-Identifier: Apache-2.0
"""save_autocast.py FILE: a scripted module with autocast blocks, one of them around a call and a branch."""
import sys

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        y = self.linear(x)
        with torch.cpu.amp.autocast():
            z = self.linear(torch.mm(y, y))
            if bool(z.sum() > 0):
                z = torch.mm(z, y.to(z.dtype))
            print(z.dtype)
            with torch.cpu.amp.autocast(enabled=False):
                w = torch.mm(y, y)
        return z.float() + torch.mm(w, y)


torch.manual_seed(0)
torch.jit.script(Net().eval()).save(sys.argv[1])

# SPDX-License-Identifier: Apache-2.0
"""Two ranks that train together, started by torchrun."""

import os
import sys

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
torch.set_num_threads(1)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


net = torch.nn.parallel.DistributedDataParallel(Net())
compiled = torch.compile(net, backend="aot_eager")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    compiled(torch.randn(3, 4)).square().sum().backward()
    optimizer.step()
weights = torch.cat([parameter.detach().flatten() for parameter in net.parameters()])
others = [torch.empty_like(weights) for _ in range(2)]
dist.all_gather(others, weights)
assert torch.equal(*others)
# At once: the other rank writes, too.
sys.stdout.write(f"weights {weights.double().sum().item().hex()}\n")
sys.stdout.flush()
dist.barrier()
# PyTorch 2.13 ends with abort() now and then while it takes the threads of gloo down.
os._exit(0)

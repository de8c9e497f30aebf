# SPDX-License-Identifier: Apache-2.0
"""A program that knows nothing of Culprit: train.py BACKEND."""

import sys

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
compiled = torch.compile(net, backend=sys.argv[1])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = compiled(torch.randn(3, 4)).square().sum()
    loss.backward()
    optimizer.step()
    print(f"loss {loss.item().hex()}", flush=True)

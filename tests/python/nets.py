# SPDX-License-Identifier: Apache-2.0
"""Small programs for tests."""

from __future__ import annotations

from typing import Any

import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(4, 8)
        self.second = torch.nn.Linear(8, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.first(x).relu()).sigmoid()


def watched(net: Any, **options: Any) -> Any:
    """Below autograd nothing is compiled, unless a test wants a real compiler."""
    options = {"backend": "aot_eager", "directory": "runs", **options}
    return torch.compile(net, backend="culprit", options=options)


def infer(net: Any) -> torch.Tensor:
    torch.manual_seed(1)
    with torch.no_grad():
        return net(torch.randn(3, 4))


def train(net: torch.nn.Module, compiled: Any, steps: int = 2) -> list[torch.Tensor]:
    """The losses, and the parameters at the end."""
    torch.manual_seed(1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (compiled(torch.randn(3, 4)) - 0.5).square().sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses + [parameter.detach().clone() for parameter in net.parameters()]

# SPDX-License-Identifier: Apache-2.0
"""A program that knows nothing of Culprit and meets a real bug of Inductor (pytorch/pytorch#197739)."""

import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x.t() + 0.5).argmin()


model = torch.compile(Net())
print(model(torch.tensor([[1.0, 3.0], [0.0, 2.0]])).item())

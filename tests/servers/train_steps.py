# SPDX-License-Identifier: Apache-2.0
"""A model of the package transformers that is trained, by itself or watched:

    train_steps.py NAME eager|culprit STEPS FOLDER

prints the loss of each step; the watcher writes below FOLDER. Dropout draws eager's numbers in both."""

from __future__ import annotations

import sys

import torch
from untouched_models import MODELS, fixtures

#: With two images a batch norm makes of rounding what it likes.
BATCH = 8
WATCHED = {"backend": "inductor", "level": 4, "after": "auto", "fallback_random": True}


def main(name: str, how: str, steps: int, folder: str) -> None:
    torch.manual_seed(0)
    make, texts = MODELS[name]
    module = fixtures.FirstTensor(make()).train()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.01)
    called = module
    if how == "culprit":
        called = torch.compile(module, backend="culprit", options={**WATCHED, "directory": folder})
    for _ in range(steps):
        loss = called(*fixtures.arguments_of(texts, BATCH)).sin().square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])

# SPDX-License-Identifier: Apache-2.0
"""Programs that know nothing of Culprit: models.py MODEL infer|train [--bug NAME] [--no-dropout]

Small models with random weights, compiled as everybody does, and called three times. A bug is a real one of Inductor, in
the middle of the model."""

import argparse
import sys
from pathlib import Path

import torch

_TESTS = Path(__file__).parents[2]
sys.path += [str(_TESTS / "fixtures"), str(_TESTS / "servers")]

from bugged_models import BUGS, Bug  # noqa: E402
from transformers_models import MODELS, arguments_of, make  # noqa: E402

#: Between two blocks; each of these gives one tensor.
_MIDDLE = {
    "hf_bert": "model.encoder.layer.0.output.dense",
    "hf_gpt2": "model.transformer.h.0.mlp.c_proj",
    "hf_llama": "model.model.layers.0.mlp.down_proj",
    "hf_resnet": "model.resnet.encoder.stages.1",
}
_STEPS = 3


def made(name: str, bug: str | None, dropout: bool) -> torch.nn.Module:
    model = make(name)
    if bug is not None:
        middle = _MIDDLE[name]
        model.set_submodule(middle, torch.nn.Sequential(model.get_submodule(middle), Bug(BUGS[bug])))
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout) and not dropout:
            module.p = 0.0
    return model


def infer(model: torch.nn.Module, texts: list[str]) -> None:
    compiled = torch.compile(model)
    with torch.no_grad():
        for _ in range(_STEPS):
            result = compiled(*arguments_of(texts, 2))
            print(f"mean {result.double().abs().mean().item().hex()}", flush=True)


def train(model: torch.nn.Module, texts: list[str]) -> None:
    compiled = torch.compile(model.train())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(_STEPS):
        optimizer.zero_grad()
        scores = compiled(*arguments_of(texts, 2)).flatten(0, -2)
        loss = torch.nn.functional.cross_entropy(scores, torch.randint(scores.shape[1], scores.shape[:1]))
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item().hex()}", flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("model", choices=_MIDDLE)
parser.add_argument("mode", choices=("infer", "train"))
parser.add_argument("--bug", choices=BUGS)
parser.add_argument("--no-dropout", dest="dropout", action="store_false")
given = parser.parse_args()
torch.set_num_threads(1)
(infer if given.mode == "infer" else train)(made(given.model, given.bug, given.dropout), MODELS[given.model][1])

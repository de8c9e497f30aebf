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

import bugged_models  # noqa: E402
from transformers_models import MODELS, FirstTensor, arguments_of, make  # noqa: E402

#: Between two blocks; each of these gives one tensor.
_MIDDLE = {
    "hf_bert": "model.encoder.layer.0.output.dense",
    "hf_gpt2": "model.transformer.h.0.mlp.c_proj",
    "hf_llama": "model.model.layers.0.mlp.down_proj",
}
_STEPS = 3
_BATCH = 2


def made(name: str, bug: str, dropout: bool) -> tuple[torch.nn.Module, list[str]]:
    """The model, and what its arguments are."""
    torch.manual_seed(0)
    if name == "resnet":
        return FirstTensor(bugged_models.make(name, bug)[0]).eval(), ["f32[B,3,8,8]"]
    model = make(name)
    middle = _MIDDLE[name]
    bugged = torch.nn.Sequential(model.get_submodule(middle), bugged_models.Bug(bugged_models.BUGS[bug]))
    model.set_submodule(middle, bugged)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout) and not dropout:
            module.p = 0.0
    return model, MODELS[name][1]


def infer(model: torch.nn.Module, texts: list[str]) -> None:
    compiled = torch.compile(model)
    with torch.no_grad():
        for _ in range(_STEPS):
            result = compiled(*arguments_of(texts, _BATCH))
            print(f"mean {result.double().abs().mean().item().hex()}", flush=True)


def train(model: torch.nn.Module, texts: list[str]) -> None:
    compiled = torch.compile(model.train())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(_STEPS):
        optimizer.zero_grad()
        scores = compiled(*arguments_of(texts, _BATCH)).flatten(0, -2)
        loss = torch.nn.functional.cross_entropy(scores, torch.randint(scores.shape[1], scores.shape[:1]))
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item().hex()}", flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("model", choices=(*_MIDDLE, "resnet"))
parser.add_argument("mode", choices=("infer", "train"))
parser.add_argument("--bug", choices=bugged_models.BUGS, default="none")
parser.add_argument("--no-dropout", dest="dropout", action="store_false")
given = parser.parse_args()
torch.set_num_threads(1)
(infer if given.mode == "infer" else train)(*made(given.model, given.bug, given.dropout))

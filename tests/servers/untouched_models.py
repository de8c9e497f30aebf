# SPDX-License-Identifier: Apache-2.0
"""Models of the package transformers as they are, as PyTorch writes their graphs below autograd:

    untouched_models.py NAME inference|training FOLDER

writes FOLDER/forward.py, and FOLDER/backward.py in training."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
import transformers

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))
import transformers_models as fixtures
from bugged_models import save_graphs, write


def make_distilbert() -> torch.nn.Module:
    return transformers.DistilBertModel(transformers.DistilBertConfig(
        vocab_size=90, dim=32, n_layers=2, n_heads=4, hidden_dim=64, max_position_embeddings=32))


def make_opt() -> torch.nn.Module:
    return transformers.OPTForCausalLM(transformers.OPTConfig(
        vocab_size=90, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=64,
        max_position_embeddings=32, word_embed_proj_dim=32, use_cache=False))


MODELS = {
    **fixtures.MODELS,
    "hf_distilbert": (make_distilbert, fixtures.TOKENS),
    "hf_opt": (make_opt, fixtures.TOKENS),
}
TRAINED = ("hf_resnet", "hf_vit", "hf_bert", "hf_gpt2")


def main(name: str, mode: str, folder: Path) -> None:
    torch.manual_seed(0)
    make, texts = MODELS[name]
    module = fixtures.FirstTensor(make())
    folder.mkdir(parents=True, exist_ok=True)

    def save(stage: str, graph: torch.fx.GraphModule, values: list[Any]) -> None:
        write(folder, graph, values)
        (folder / "minifier_launcher.py").rename(folder / f"{stage}.py")

    save_graphs(module, fixtures.arguments_of(texts, 2), mode == "training", save)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))

# SPDX-License-Identifier: Apache-2.0
"""Models with a real bug of Inductor in the middle, or a bug alone, as PyTorch itself writes their graphs below autograd:

    bugged_models.py MODEL BUG FOLDER [off|on|strict]

writes FOLDER/minifier_launcher.py and the inputs beside it. `gpt:12` is a gpt of 12 blocks instead of 2. The bug `none` leaves
the model as it is. The last word says what the file wants of numbers; PyTorch writes `off` at level 2, `on` at 4."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch._inductor.config
from torch import Tensor, nn
from torch._dynamo.repro.after_aot import save_graph_repro
from torch._inductor.compile_fx import compile_fx
from torch.nn.functional import avg_pool2d, gelu


class State(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("whole", torch.full((4, 6), 5))
        self.register_buffer("rows", torch.full((4, 6), 7))
        self.register_buffer("small", -torch.arange(1, 19, dtype=torch.int8))
        self.register_buffer("source", torch.randn(3, 4))
        self.register_buffer("target", torch.randn(3, 4))
        #: What the model returns beside its result.
        self.shown: Tensor | None = None


def argmin_transposed(x: Tensor, _: State) -> Tensor:
    return x + (x[0].t() + 0.5).argmin() * x.sin()


def max_int8(x: Tensor, state: State) -> Tensor:
    return x + state.small.max() * x.sin()


def remainder_inf(x: Tensor, _: State) -> Tensor:
    return x + torch.remainder(x, torch.where(x > 0, torch.inf, 1.5))


def any_uint8(x: Tensor, _: State) -> Tensor:
    return x + (torch.any((x > 0).to(torch.uint8)) * 200 + 100) * x.sin()


def abs_widened(x: Tensor, _: State) -> Tensor:
    return x + ((x.sin() * 0.4).round().to(torch.int16) - 32768).abs().int() * x.sin()


def slice_scatter_fill(x: Tensor, state: State) -> Tensor:
    state.shown = torch.slice_scatter(state.whole, state.rows[1:3], 0, 1, 3)
    state.whole.zero_()
    return x


def copy_after_mutation(x: Tensor, state: State) -> Tensor:
    state.target[0:, :] = state.source[0:, :]
    state.source.add_(1)
    return x + state.source.sum() * x.sin()


def avg_pool_ceil(x: Tensor, _: State) -> Tensor:
    return x + avg_pool2d(x.unsqueeze(1), 3, 2, ceil_mode=True).sum() * x.sin()


def cumsum_0d(x: Tensor, _: State) -> Tensor:
    return x + torch.tensor(5.0).cumsum(0) * x.sin()


def half_prod(x: Tensor, _: State) -> Tensor:
    def function(y: Tensor) -> Tensor:
        return torch.mm(torch.mm(y.prod() + y, y.sum() + y), y.sum() + y).sum()

    return x + torch.func.jacfwd(function)(x[0, :3, :3].half()).float().sum() * x.sin()


BUGS: dict[str, Callable[[Tensor, State], Tensor]] = {
    "none": lambda x, _: x,
    **{
        bug.__name__: bug
        for bug in (
            argmin_transposed,
            max_int8,
            remainder_inf,
            any_uint8,
            abs_widened,
            slice_scatter_fill,
            copy_after_mutation,
            avg_pool_ceil,
            cumsum_0d,
            half_prod,
        )
    },
}


#: In the graph of a gradient.
TRAINED = ("avg_pool_ceil",)


class Block(nn.Module):
    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        parts = self.qkv(self.norm1(x)).split(width, 2)
        q, k, v = (y.view(batch, length, self.heads, -1).transpose(1, 2) for y in parts)
        scores = (q @ k.transpose(-2, -1)) * (width // self.heads) ** -0.5
        if self.causal:
            mask = torch.tril(torch.ones(length, length, dtype=torch.bool))
            scores = scores.masked_fill(~mask, float("-inf"))
        x = x + self.projection((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))
        return x + self.down(gelu(self.up(self.norm2(x)), approximate="tanh"))


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return (x + self.norm2(self.conv2(self.norm1(self.conv1(x)).relu()))).relu()


class Bug(nn.Module):
    """In the middle of a model; the bug itself gets three dimensions."""

    def __init__(self, act: Callable[[Tensor, State], Tensor]) -> None:
        super().__init__()
        self.act, self.state = act, State()

    def forward(self, x: Tensor) -> Tensor:
        # Other rows than the channels of an image, which Inductor lays out so that their transpose is contiguous.
        width = x.shape[2] if x.dim() == 3 else 32
        return self.act(x.reshape(x.shape[0], -1, width), self.state).view(x.shape)


class Bugged(nn.Module):
    """What comes before the bug, and what comes after it."""

    def __init__(self, before: nn.Module, after: nn.Module, act: Callable[[Tensor, State], Tensor]) -> None:
        super().__init__()
        self.before, self.after, self.bug = before, after, Bug(act)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        x = self.bug(self.before(x))
        return self.after(x), self.bug.state.shown


def blocks(count: int) -> list[nn.Module]:
    return [Block(32, 4, True) for _ in range(count)]


class Embedded(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.token, self.place = nn.Embedding(100, 32), nn.Embedding(16, 32)
        self.blocks = nn.Sequential(*blocks(depth))

    def forward(self, ids: Tensor) -> Tensor:
        return self.blocks(self.token(ids) + self.place(torch.arange(ids.shape[1])))


class Patches(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.block = nn.Conv2d(3, 32, 4, 4), Block(32, 4, False)
        self.place = nn.Parameter(torch.randn(1, 16, 32))

    def forward(self, x: Tensor) -> Tensor:
        return self.block(self.conv(x).flatten(2).transpose(1, 2) + self.place)


def make(model: str, bug: str) -> tuple[nn.Module, Tensor]:
    act = BUGS[bug]
    model, _, depth = model.partition(":")
    if model == "alone":
        return Bugged(nn.Identity(), nn.Identity(), act), torch.randn(2, 6, 6).requires_grad_(bug in TRAINED)
    if model == "gpt":
        count = int(depth or 2)
        after = nn.Sequential(*blocks(count - count // 2), nn.LayerNorm(32), nn.Linear(32, 100))
        return Bugged(Embedded(count // 2), after, act), torch.randint(0, 100, (2, 16))
    if model == "vit":
        after = nn.Sequential(Block(32, 4, False), nn.LayerNorm(32), nn.Linear(32, 10))
        return Bugged(Patches(), after, act), torch.randn(2, 3, 16, 16)
    assert model == "resnet"
    before = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), Residual(16))
    after = nn.Sequential(Residual(16), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    return Bugged(before, after, act), torch.randn(2, 3, 8, 8)


ACCURACY = {"off": False, "on": True, "strict": "strict_accuracy"}


def write(folder: Path, module: torch.fx.GraphModule, inputs: list[Any], accuracy: str = "strict") -> None:
    options: dict[str, Any] = {"accuracy": ACCURACY[accuracy], "command": "minify"}
    with torch._inductor.config.patch(use_joint_graph_passes=True), open(folder / "minifier_launcher.py", "w") as file:
        save_graph_repro(file, module, inputs, "inductor", save_dir=str(folder / "checkpoints"), **options)


def save_graphs(module: nn.Module, inputs: list[Any], training: bool, save: Callable[..., None]) -> list[str]:
    """Calls `save(stage, graph, inputs)` for each graph below autograd; gives back which there were."""
    stages: list[str] = []

    def capture(graph: torch.fx.GraphModule, _: Any, **options: Any) -> Callable[[list[Any]], Any]:
        kept = torch.fx.GraphModule(graph, copy.deepcopy(graph.graph))
        stage = "backward" if options.get("is_backward") else "forward"

        def run(values: list[Any]) -> Any:
            stages.append(stage)
            save(stage, kept, values)
            return graph(*values)

        run._boxed_call = True  # type: ignore[attr-defined]
        return run

    compiled = torch.compile(module.train(training), backend=lambda g, i: compile_fx(g, i, inner_compile=capture))
    with torch.set_grad_enabled(training):
        result = compiled(*inputs)
        if training:
            (result if isinstance(result, torch.Tensor) else result[0]).sin().sum().backward()
    return stages


def main(model: str, bug: str, folder: Path, accuracy: str = "strict") -> None:
    torch.manual_seed(0)
    module, x = make(model, bug)
    training = bug in TRAINED
    wanted = "backward" if training else "forward"
    folder.mkdir(parents=True, exist_ok=True)

    def save(stage: str, graph: torch.fx.GraphModule, values: list[Any]) -> None:
        if stage == wanted:
            write(folder, graph, values, accuracy)

    # Some bugs are in the passes that come first, and the file is to hold what AOTAutograd made; one needs them.
    with torch._inductor.config.patch(use_joint_graph_passes=bug == "cumsum_0d"):
        stages = save_graphs(module, [x], training, save)
    assert stages == (["forward", "backward"] if training else ["forward"]), stages


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])

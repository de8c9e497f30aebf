# SPDX-License-Identifier: Apache-2.0
"""The same graph twice is compiled twice, whatever the environment says about caches. Nothing is compiled by C++."""

from __future__ import annotations

import contextlib
import os
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import torch
import torch._functorch.config
import torch._inductor.codecache
import torch._inductor.config
from culprit.servers import inductor
from culprit.servers.inductor import Inductor
from test_inductor_switches import Build, Case, request_for
from torch._inductor.graph import GraphLowering
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._config_module import _UNSET_SENTINEL

CACHES = ((torch._inductor.config, "fx_graph_cache"), (torch._functorch.config, "enable_autograd_cache"))


def product(call: Build, x: object, y: object) -> list[object]:
    """A kernel of eager's: there is no loop."""
    return [call(torch.ops.aten.mm.default, (x, y))]


@contextlib.contextmanager
def forced_by_the_environment() -> Iterator[None]:
    """As TORCHINDUCTOR_FX_GRAPH_CACHE=1 and TORCHINDUCTOR_AUTOGRAD_CACHE=1 have it when PyTorch is imported."""
    for config, name in CACHES:
        config._config[name].env_value_force = True
    try:
        yield
    finally:
        for config, name in CACHES:
            config._config[name].env_value_force = _UNSET_SENTINEL


def warmed_up(folder: str) -> Inductor:
    compiler = Inductor()
    with (
        mock.patch.object(Inductor, "_compile_something"),
        mock.patch.object(inductor, "_try_vector_instructions"),
    ):
        compiler.warm_up(Path(folder))
    return compiler


def lowered(compiler: Inductor, graphs: str) -> int:
    """How often, if the same is compiled twice with a folder that stays."""
    values = [torch.zeros(8, 8), torch.zeros(8, 8)]
    case = Case(product, values, graphs=graphs)
    with mock.patch.object(GraphLowering, "run", autospec=True, side_effect=GraphLowering.run) as run:
        for _ in range(2):
            request = request_for(case, [])
            # There is one as in a server: without it the caches let everything through.
            mode = FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv())
            request.inputs = [mode.from_tensor(value, static_shapes=True) for value in values]
            compiler.compile(request)
    return run.call_count


class CachesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(mock.patch.dict(os.environ, TORCHINDUCTOR_CACHE_DIR=folder))
        self.enterContext(forced_by_the_environment())
        # What warming up sets is as before when a test ends.
        self.enterContext(torch._inductor.config.patch(compile_threads=1))
        for config, name in CACHES:
            self.enterContext(config.patch({name: True}))
        for name in ("_HEADER_DIR", "_HEADER_LOCK_DIR"):
            self.enterContext(mock.patch.object(torch._inductor.codecache, name))
        self.folder = folder

    def test_they_would_answer(self) -> None:
        for graphs in ("below", "captured"):
            self.assertEqual(lowered(Inductor(), graphs), 1, graphs)

    def test_they_are_off(self) -> None:
        compiler = warmed_up(self.folder)
        for graphs in ("below", "captured"):
            self.assertEqual(lowered(compiler, graphs), 2, graphs)

    def test_none_of_them_is_left_on(self) -> None:
        warmed_up(self.folder)
        for config, name in CACHES:
            self.assertFalse(getattr(config, name), name)


if __name__ == "__main__":
    unittest.main()

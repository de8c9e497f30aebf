# SPDX-License-Identifier: Apache-2.0
"""Caches of PyTorch that would answer in place of the compiler: of graphs (Inductor's) and of what comes before them
(AOTAutograd's), here and on other machines."""

from __future__ import annotations

import torch._functorch.config
import torch._inductor.config
from torch.utils import _config_module

_CACHES = (
    (torch._inductor.config, "fx_graph_cache"),
    (torch._inductor.config, "fx_graph_remote_cache"),
    (torch._functorch.config, "enable_autograd_cache"),
    (torch._functorch.config, "enable_remote_autograd_cache"),
)


def turn_off() -> None:
    for config, name in _CACHES:
        entry = config._config.get(name)
        # What the environment has (TORCHINDUCTOR_FX_GRAPH_CACHE=1) would be stronger than what is set.
        if hasattr(entry, "env_value_force"):
            entry.env_value_force = _config_module._UNSET_SENTINEL
        if name in config._config:
            setattr(config, name, False)

# SPDX-License-Identifier: Apache-2.0
"""Prints where this interpreter's PyTorch is, without importing it.

One line each: version, folder, "headers" or "no headers". Exits with 1 and prints nothing if there is no PyTorch.
"""

import importlib.metadata
import importlib.util
import pathlib
import sys

try:
    version = importlib.metadata.version("torch")
except importlib.metadata.PackageNotFoundError:
    sys.exit(1)
spec = importlib.util.find_spec("torch")
if spec is None or spec.origin is None:
    sys.exit(1)
folder = pathlib.Path(spec.origin).resolve().parent
has_headers = (folder / "include" / "ATen" / "core" / "Tensor.h").is_file()
print(version, folder, "headers" if has_headers else "no headers", sep="\n")

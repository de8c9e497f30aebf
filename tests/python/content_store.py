# SPDX-License-Identifier: Apache-2.0
"""Writes and reads storages of a store under plain Python.

    python3 content_store.py write FOLDER     with PyTorch's own content store
    python3 content_store.py read FILE...     those of Culprit, mapped

`write` prints one line for each storage: its name in FOLDER/storages, which is the SHA-1 of its bytes, and how many
bytes it has. `read` prints the SHA-1 of what is in each file as PyTorch maps it.
"""
import hashlib
import os
import sys

import torch
from torch.utils._content_store import ContentStoreWriter

DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
          torch.complex32, torch.complex64, torch.complex128, torch.bool, torch.bfloat16]


def sha1(storage):
    return hashlib.sha1(bytes(storage.tolist())).hexdigest()


def write(folder):
    writer = ContentStoreWriter(folder, stable_hash=True)
    tensors = [(torch.arange(1000) % 2).to(dtype) for dtype in DTYPES]
    # What PyTorch's own tests have.
    tensors += [torch.zeros(3, 4), torch.ones(3, 4, dtype=torch.int32),
                torch.empty(3, 4, 5, 6).fill_(2).to(memory_format=torch.channels_last), torch.empty(0)]
    for tensor in tensors:
        storage = tensor.untyped_storage()
        print(writer.write_storage(storage), storage.nbytes())
    # The format before version 1.6, the only one that is no archive.
    storage = torch.full((7,), 7.0).untyped_storage()
    torch.save(storage, os.path.join(folder, "storages", sha1(storage)), _use_new_zipfile_serialization=False)
    print(sha1(storage), storage.nbytes())


def read(paths):
    for path in paths:
        size = os.path.getsize(path)
        print(sha1(torch.from_file(path, shared=False, size=size, dtype=torch.uint8).untyped_storage()))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        read(sys.argv[2:])

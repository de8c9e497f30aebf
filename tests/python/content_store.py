# SPDX-License-Identifier: Apache-2.0
"""Writes and reads storages of a store under plain Python.

    /usr/bin/python3 content_store.py write FOLDER     as PyTorch's own content store writes them
    /usr/bin/python3 content_store.py read FILE...     those of Culprit, mapped

`write` prints one line for each storage: its name in FOLDER/storages, which is the SHA-1 of its bytes, and how many
bytes it has. `read` prints the SHA-1 of what is in each file as PyTorch maps it.

PyTorch 1.13 has no torch.utils._content_store; what its writer does to a storage stands in save().
"""
import hashlib
import os
import sys

import torch

DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
          torch.complex32, torch.complex64, torch.complex128, torch.bool, torch.bfloat16]


def untyped(tensor):
    storage = tensor.storage()
    return storage.untyped() if hasattr(storage, "untyped") else storage._storage


def save(storage, folder, **options):
    data = bytes(storage.tolist())
    name = hashlib.sha1(data).hexdigest()
    torch.save(storage, os.path.join(folder, "storages", name), **options)
    print(name, len(data))


def write(folder):
    os.makedirs(os.path.join(folder, "storages"))
    for dtype in DTYPES:
        save(untyped((torch.arange(1000) % 2).to(dtype)), folder)
    # What PyTorch's own tests have.
    save(untyped(torch.zeros(3, 4)), folder)
    save(untyped(torch.ones(3, 4, dtype=torch.int32)), folder)
    save(untyped(torch.empty(3, 4, 5, 6).fill_(2).to(memory_format=torch.channels_last)), folder)
    save(untyped(torch.empty(0)), folder)
    # The format before version 1.6, the only one that is no archive.
    save(untyped(torch.full((7,), 7.0)), folder, _use_new_zipfile_serialization=False)


def read(paths):
    for path in paths:
        size = os.path.getsize(path)
        storage = untyped(torch.from_file(path, shared=False, size=size, dtype=torch.uint8))
        print(hashlib.sha1(bytes(storage.tolist())).hexdigest())


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        read(sys.argv[2:])

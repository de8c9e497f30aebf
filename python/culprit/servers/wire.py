# SPDX-License-Identifier: Apache-2.0
"""Packets: JSON, and descriptors of memory for what is too large to be copied.

A packet is one message of a SOCK_SEQPACKET socket. Its first byte says where the JSON is: "j" right behind
it, "m" in the memory of the first descriptor.
"""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import socket
from typing import Any

SHORT_BYTES = 48 << 10
MOST_DESCRIPTORS = 253
_SIZE_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW


def make_memory(size: int) -> int:
    """A descriptor of `size` zeros, which nobody can make shorter under a reader."""
    descriptor = os.memfd_create("culprit", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, size)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SIZE_SEALS)
    return descriptor


def map_memory(descriptor: int) -> mmap.mmap:
    """Shared: what is written here is seen by the other side."""
    return mmap.mmap(descriptor, 0)


def send(connection: socket.socket, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
    text = json.dumps(message).encode()
    if len(text) <= SHORT_BYTES:
        socket.send_fds(connection, [b"j" + text], list(descriptors))
        return
    memory = make_memory(len(text))
    try:
        os.pwrite(memory, text, 0)
        socket.send_fds(connection, [b"m"], [memory, *descriptors])
    finally:
        os.close(memory)


def receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Waits. Nothing if the other side is gone."""
    packet, descriptors, _, _ = socket.recv_fds(connection, SHORT_BYTES + 1, MOST_DESCRIPTORS)
    if not packet:
        return None
    text = packet[1:]
    if packet[:1] == b"m":
        memory = descriptors.pop(0)
        with mmap.mmap(memory, 0, access=mmap.ACCESS_READ) as mapping:  # it may not be written
            text = mapping[:]
        os.close(memory)
    return json.loads(text), descriptors

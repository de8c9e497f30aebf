# SPDX-License-Identifier: Apache-2.0
"""Imports the compiler once and forks a child for every query. The next child is forked ahead. Where the compiler
cannot be forked, the child becomes the program anew, and learns by a variable of the environment that it is one.

Descriptor 3 is a listening socket. Who connects sends "s" with four descriptors: socket, black box, output,
leash. Through the leash it learns the child's pid and how it ended; when it lets go of it, the child and all
that the child started are killed. Standard input ends with the life of Culprit, and so does this process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import socket
import struct
import sys
import traceback
from dataclasses import dataclass
from typing import NoReturn

from culprit.servers import graphs
from culprit.servers.child import CANNOT_SERVE, serve_child
from culprit.servers.compiler import Compiler
from culprit.servers.scratch import Scratch
from culprit.servers.sizes import Sizes
from culprit.servers.tensors import Arena

_LISTENING = 3
_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_STARTED, _CANNOT_FORK, _ENDED, _RELEASED = range(4)
_SPAWN_DESCRIPTORS = 4
#: The descriptor at which a program that was started again waits.
_CHANNEL = "CULPRIT_SERVER_CHANNEL"


@dataclass
class _Query:
    pid: int
    leash: socket.socket
    pidfd: int


def _tell(leash: socket.socket, kind: int, value: int = 0) -> None:
    """A caller that has hung up does not want to know."""
    with contextlib.suppress(OSError):
        leash.send(struct.pack("=ii", kind, value), socket.MSG_NOSIGNAL)


def _own_children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(word) for word in file.read().split()]


def _reap(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


class _Zygote:
    def __init__(self, compiler: Compiler, scratch: Scratch) -> None:
        self._compiler = compiler
        self._scratch = scratch
        self._listening = socket.socket(fileno=_LISTENING)
        self._events = selectors.DefaultSelector()
        self._events.register(self._listening, selectors.EVENT_READ, self._accept)
        self._events.register(sys.stdin.fileno(), selectors.EVENT_READ, self._end)
        self._queries: dict[int, _Query] = {}
        self._spare: tuple[int, socket.socket] | None = None

    def run(self) -> NoReturn:
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        while True:
            if self._spare is None:
                self._spare = self._fork()
            for key, _ in self._events.select():
                key.data(key.fileobj)

    def _end(self, _: object) -> None:
        for pid in _own_children():
            _reap(pid)
            self._scratch.remove(pid)
        os._exit(0)

    def _fork(self) -> tuple[int, socket.socket]:
        """A child that waits for its descriptors."""
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        zygote = os.getpid()
        pid = os.fork()
        if pid != 0:
            there.close()
            return pid, here
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != zygote:
            os._exit(70)
        here.close()
        self._close_all()
        if self._compiler.forks:
            serve_child(self._compiler, there, self._scratch.of_query(os.getpid(), zygote))
        there.set_inheritable(True)
        os.execve(sys.executable, sys.orig_argv, {**os.environ, _CHANNEL: str(there.fileno())})

    def _close_all(self) -> None:
        self._events.close()
        self._listening.close()
        for query in self._queries.values():
            query.leash.close()
            os.close(query.pidfd)

    def _accept(self, _: object) -> None:
        control, _ = self._listening.accept()
        self._events.register(control, selectors.EVENT_READ, self._spawn)

    def _spawn(self, control: socket.socket) -> None:
        packet, descriptors, _, _ = socket.recv_fds(control, 1, _SPAWN_DESCRIPTORS)
        if not packet:
            self._events.unregister(control)
            control.close()
            return
        if len(descriptors) == _SPAWN_DESCRIPTORS:
            self._hand_over(descriptors)

    def _hand_over(self, descriptors: list[int]) -> None:
        leash = socket.socket(fileno=descriptors.pop())
        try:
            pid, channel = self._spare or self._fork()
        except OSError as error:
            _tell(leash, _CANNOT_FORK, error.errno or 0)
            return
        finally:
            self._spare = None
        with contextlib.suppress(OSError):
            socket.send_fds(channel, [b"g"], descriptors)
        channel.close()
        for descriptor in descriptors:
            os.close(descriptor)
        query = _Query(pid, leash, os.pidfd_open(pid))
        self._queries[leash.fileno()] = query
        self._events.register(leash, selectors.EVENT_READ, self._release)
        self._events.register(query.pidfd, selectors.EVENT_READ, lambda _: self._ended(query))
        _tell(leash, _STARTED, pid)

    def _ended(self, query: _Query) -> None:
        """It stays a zombie until it is released: its pid names its process group."""
        self._events.unregister(query.pidfd)
        ending = os.waitid(os.P_PIDFD, query.pidfd, os.WEXITED | os.WNOWAIT)
        os.close(query.pidfd)
        query.pidfd = -1
        assert ending is not None
        exited = ending.si_code == os.CLD_EXITED
        _tell(query.leash, _ENDED, ending.si_status << 8 if exited else ending.si_status)

    def _release(self, leash: socket.socket) -> None:
        query = self._queries.pop(leash.fileno())
        self._events.unregister(leash)
        if query.pidfd >= 0:
            self._events.unregister(query.pidfd)
            os.close(query.pidfd)
        _reap(query.pid)
        self._reap_orphans()
        self._scratch.remove(query.pid)
        _tell(leash, _RELEASED)
        leash.close()

    def _reap_orphans(self) -> None:
        known = {query.pid for query in self._queries.values()}
        if self._spare is not None:
            known.add(self._spare[0])
        while orphans := [pid for pid in _own_children() if pid not in known]:
            for pid in orphans:
                _reap(pid)


def _handle_one_graph() -> None:
    """What the first graph of a process imports is there before children are forked."""
    x = {"storage": 0, "sizes": [2], "strides": [1], "offset": 0, "dtype": "float32", "device": "cpu"}
    arena = Arena([], [])
    graph = {
        "placeholders": [{"name": "x"}],
        "constants": [],
        "nodes": [{"results": ["y"], "operator": "aten::relu", "arguments": [{"value": "x"}], "keywords": []}],
        "outputs": [{"value": "y"}],
    }
    inputs = [{**x, "described": True, "bytes": 8, "shared": False}]
    graphs.build(graph, arena)(*graphs.example_inputs(inputs, Sizes([[]], inputs), arena))


def _warm_up(compiler: Compiler, scratch: Scratch) -> None:
    """In a folder of ours: whatever looks at the current one finds no file of a stranger."""
    os.chdir(scratch.folder)
    _handle_one_graph()
    compiler.warm_up(scratch.folder)


def _serve_again(compiler: Compiler, channel: socket.socket) -> NoReturn:
    """The zygote is the parent, and has swept the folders."""
    try:
        scratch = Scratch(compiler.name, compiler.versions())
        _warm_up(compiler, scratch)
    except BaseException:
        traceback.print_exc()
        os._exit(CANNOT_SERVE)
    serve_child(compiler, channel, scratch.of_query(os.getpid(), os.getppid()))


def serve(compiler: Compiler) -> NoReturn:
    if channel := os.environ.pop(_CHANNEL, None):
        _serve_again(compiler, socket.socket(fileno=int(channel)))
    os.set_inheritable(_LISTENING, False)
    scratch = Scratch(compiler.name, compiler.versions())
    scratch.sweep()
    if compiler.forks:
        _warm_up(compiler, scratch)
        if (threads := len(os.listdir("/proc/self/task"))) > 1:
            message = f"{threads - 1} threads run before the fork, and their locks may be held for ever"
            print(message, file=sys.stderr)
    _Zygote(compiler, scratch).run()

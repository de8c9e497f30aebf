# SPDX-License-Identifier: Apache-2.0
"""The life of a child: it says who it is, compiles, and is called, until somebody kills it."""

from __future__ import annotations

import ctypes
import faulthandler
import itertools
import os
import resource
import signal
import socket
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any, NoReturn

import torch

from culprit.servers import tensors, wire
from culprit.servers.compiled import Compiled
from culprit.servers.compiler import Compiler, Refusal
from culprit.servers.gradients import Recording, modes
from culprit.servers.phases import message_of
from culprit.servers.trial import try_out

PROTOCOL = 2
CANNOT_SERVE = 70
#: Calls the compiler; what is around it is the same for all exceptions.
_WHO_CALLS = "/culprit/servers/compiled.py"
_MOST_FRAMES = 6


def serve_child(compiler: Compiler, channel: socket.socket, folder: Path) -> NoReturn:
    """Waits at `channel` for its descriptors. `folder` is its own, and made here."""
    try:
        packet, descriptors, _, _ = socket.recv_fds(channel, 1, 3)
        channel.close()
        if packet:
            _settle(*descriptors[1:])
            _enter(folder)
            _Session(compiler, socket.socket(fileno=descriptors[0]), folder).run()
    except BaseException:
        traceback.print_exc()
        os._exit(CANNOT_SERVE)
    os._exit(0)


def _settle(black_box: int, output: int) -> None:
    """Its own session, no core files, first to go if memory runs out; a crash leaves its frames."""
    os.setsid()
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    if library := os.environ.get("CULPRIT_CRASH_NOTES"):
        ctypes.CDLL(library).culprit_note_crashes(black_box)
    os.close(black_box)
    # Before the signal gets to the notes, it tells where Python was.
    faulthandler.enable()


def _enter(folder: Path) -> None:
    """Temporary files of whatever the compiler starts go there, too."""
    folder.mkdir(mode=0o700)
    os.chdir(folder)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = str(folder)


def _type_name(error: BaseException) -> str:
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _frames(error: BaseException) -> list[str]:
    """Where in the compiler it was raised, innermost first. What has been wrapped came from where it was raised first."""
    while cause := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        error = cause
    frames = reversed(traceback.extract_tb(error.__traceback__))
    inside = itertools.takewhile(lambda frame: not frame.filename.endswith(_WHO_CALLS), frames)
    return [f"{frame.name} at {frame.filename}:{frame.lineno}" for frame in itertools.islice(inside, _MOST_FRAMES)]


class _Session:
    def __init__(self, compiler: Compiler, connection: socket.socket, folder: Path) -> None:
        self._compiler = compiler
        self._folder = folder
        self._connection = connection
        self._compiled: dict[int, Compiled] = {}
        #: By number, calls whose gradients may be asked for.
        self._recordings: dict[int, Recording] = {}
        #: Of the newest compilation, whether it ends or not.
        self._artefacts: dict[str, str] = {}

    def run(self) -> None:
        while received := wire.receive(self._connection):
            message, descriptors = received
            answer, sent = self._answer(message, descriptors)
            sys.stdout.flush()
            sys.stderr.flush()
            wire.send(self._connection, answer, tuple(sent))
            for descriptor in (*descriptors, *sent):
                os.close(descriptor)

    def _answer(self, message: dict[str, Any], descriptors: list[int]) -> tuple[dict[str, Any], list[int]]:
        try:
            kind = message["kind"]
            if kind == "hello":
                return self._hello(), []
            if kind == "compile":
                return self._compile(message, descriptors), []
            if kind == "call":
                return self._call(message, descriptors)
            if kind == "backward":
                return self._backward(message, descriptors)
            if kind == "python":
                words = (message[key] for key in ("options", "off", "graphs", "symbols"))
                return {"kind": "python", "text": self._compiler.in_python(*words)}, []
            if kind == "plain":
                return self._plain(message), []
            return {"kind": "refusal", "message": f"there is no request '{kind}'"}, []
        except Refusal as refusal:
            return {"kind": "refusal", "message": str(refusal)}, []
        except Exception as error:
            traceback.print_exc()
            said = {"type": _type_name(error), "message": message_of(error), "frames": _frames(error)}
            return {"kind": "error", **said, "artefacts": self._artefacts}, []

    def _hello(self) -> dict[str, Any]:
        compiler = self._compiler
        return {
            "kind": "hello",
            "protocol": PROTOCOL,
            "name": compiler.name,
            "line": compiler.line,
            "versions": compiler.versions(),
            "graphs": list(compiler.graphs),
            "parameters": compiler.parameters,
            "gradients": compiler.gradients,
            "freezes_with": compiler.freezes_with,
            "devices": list(compiler.devices),
            "symbols": compiler.symbols,
            "random": compiler.random,
            "calls": compiler.calls,
            "options": [vars(option) for option in compiler.options()],
            "switches": [vars(switch) for switch in compiler.switches()],
        }

    def _plain(self, message: dict[str, Any]) -> dict[str, Any]:
        torch.set_num_threads(1)  # threads that compute have no place before the fork of a trial
        try:
            text = self._compiler.in_plain_calls(message["script"], message["options"], message["off"])
        except Refusal as refusal:
            return {"kind": "plain", "text": "", "fails_so": False, "said": str(refusal)}
        if text is None:
            return {"kind": "plain", "text": None}
        program = self._folder / "plain.py"
        program.write_text(text)
        trial = try_out(program, message["expected"])
        return {"kind": "plain", "text": text, "fails_so": trial.fails_so, "said": trial.said}

    def _compile(self, message: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        torch.set_num_threads(message["threads"])
        if message["isa"]:
            os.environ["ATEN_CPU_CAPABILITY"] = message["isa"]
        arena = tensors.Arena(message["storages"], descriptors)
        compiled = Compiled(self._compiler, message, arena, self._folder)
        try:
            answer = compiled.compile(message["inputs"])
        finally:
            self._artefacts = compiled.artefacts
        self._compiled[message["handle"]] = compiled
        return {"kind": "compiled", **answer}

    def _call(self, message: dict[str, Any], descriptors: list[int]) -> tuple[dict[str, Any], list[int]]:
        arena = tensors.Arena(message["storages"], descriptors)
        if message["generator"] is not None:
            torch.set_rng_state(arena.value(message["generator"]))
        for number in message.get("done", ()):
            self._recordings.pop(number, None)
        values = [arena.value(value) for value in message["inputs"]]
        recording = Recording(message["inputs"], values) if message.get("records") else None
        with modes(message):
            outputs = list(self._compiled[message["handle"]].call(message["inputs"], values, arena))
        said: dict[str, Any] = {}
        if recording:
            outputs, said = recording.end(outputs)
            self._recordings[message["call"]] = recording
        return _returned(outputs, arena, said)

    def _backward(self, message: dict[str, Any], descriptors: list[int]) -> tuple[dict[str, Any], list[int]]:
        arena = tensors.Arena(message["storages"], descriptors)
        tangents = [arena.value(value) for value in message["tangents"]]
        recording = self._recordings[message["call"]]
        with modes(message):
            gradients = recording.gradients(tangents, message["wanted"], message["keep"])
        # A backward graph may have been compiled just now.
        return _returned(gradients, arena, {"artefacts": self._compiled[message["handle"]].artefacts})


def _returned(values: list[Any], arena: tensors.Arena, said: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
    packed = tensors.pack(values, arena)
    return {"kind": "returned", "outputs": packed.values, "storages": packed.storages, **said}, packed.descriptors

# SPDX-License-Identifier: Apache-2.0
"""Compilers that run in a process of their own. docs/servers.md describes the protocol.

    class MyCompiler(Compiler):
        name = "mine"

        def compile(self, request):
            return lambda *inputs: ...

    serve(MyCompiler())
"""

from culprit.servers.compiler import Compiler, Option, Refusal, Request, Switch
from culprit.servers.zygote import serve

__all__ = ["Compiler", "Option", "Refusal", "Request", "Switch", "serve"]

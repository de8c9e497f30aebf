# SPDX-License-Identifier: Apache-2.0
"""Exceptions that are no errors of a compiler."""

from __future__ import annotations

from torch._dynamo.exc import RestartAnalysis, SkipFrame, Unsupported

#: By these Dynamo tells itself to go another way.
REQUESTS = (RestartAnalysis, SkipFrame, Unsupported)

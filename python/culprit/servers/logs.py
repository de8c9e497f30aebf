# SPDX-License-Identifier: Apache-2.0
"""What a compiler logs, apart from what it prints."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Iterator, Sequence

from culprit.servers.compiler import Request

NAME = "log.txt"
_MOST_CHARACTERS = 1 << 20


@contextlib.contextmanager
def kept(request: Request, loggers: Sequence[str]) -> Iterator[None]:
    """Whatever these say meanwhile, at any level, is an artefact instead of output, whether it ends or not."""
    if not request.wants_artefacts or not loggers:
        yield
        return
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    try:
        with contextlib.ExitStack() as stack:
            for name in loggers:
                stack.enter_context(_led_to(handler, logging.getLogger(name)))
            yield
    finally:
        if said := text.getvalue():
            request.artefacts[NAME] = said[:_MOST_CHARACTERS]


@contextlib.contextmanager
def _led_to(handler: logging.Handler, logger: logging.Logger) -> Iterator[None]:
    before = logger.level, logger.handlers, logger.propagate
    logger.setLevel(logging.DEBUG)
    logger.handlers, logger.propagate = [handler], False
    try:
        yield
    finally:
        level, logger.handlers, logger.propagate = before
        logger.setLevel(level)

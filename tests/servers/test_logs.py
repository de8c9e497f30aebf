# SPDX-License-Identifier: Apache-2.0
"""What a compiler logs becomes an artefact, and loggers are afterwards what they were."""

from __future__ import annotations

import logging
import unittest

import torch
from culprit.servers import logs
from culprit.servers.compiler import Request

LOGGER = logging.getLogger("culprit_test.compiler")


def request(wants_artefacts: bool) -> Request:
    graph = torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph())
    return Request(graph, [], [], wants_artefacts=wants_artefacts)


class LogTest(unittest.TestCase):
    def test_every_level_is_kept(self) -> None:
        asked = request(wants_artefacts=True)
        with logs.kept(asked, ["culprit_test"]):
            LOGGER.debug("fused %d kernels", 2)
            LOGGER.warning("slow")
        expected = "DEBUG culprit_test.compiler: fused 2 kernels\nWARNING culprit_test.compiler: slow\n"
        self.assertEqual(asked.artefacts, {"log.txt": expected})

    def test_it_is_kept_if_the_compiler_fails(self) -> None:
        asked = request(wants_artefacts=True)
        with self.assertRaises(ValueError), logs.kept(asked, ["culprit_test"]):
            LOGGER.info("so far")
            raise ValueError
        self.assertIn("so far", asked.artefacts["log.txt"])

    def test_loggers_are_left_as_they_were(self) -> None:
        logger = logging.getLogger("culprit_test")
        before = logger.level, logger.handlers, logger.propagate
        with logs.kept(request(wants_artefacts=True), ["culprit_test"]):
            self.assertTrue(LOGGER.isEnabledFor(logging.DEBUG))
        self.assertEqual((logger.level, logger.handlers, logger.propagate), before)
        self.assertFalse(LOGGER.isEnabledFor(logging.DEBUG))

    def test_who_wants_no_artefacts_gets_none(self) -> None:
        asked = request(wants_artefacts=False)
        with logs.kept(asked, ["culprit_test"]):
            LOGGER.info("unheard")
        self.assertEqual(asked.artefacts, {})


if __name__ == "__main__":
    unittest.main()

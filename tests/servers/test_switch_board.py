# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import unittest

from culprit.servers.switch_board import SwitchBoard


def stopped(written: list[str], applications: int) -> list[bool]:
    off = SwitchBoard(written)
    return [off.stops("fusion") for _ in range(applications)]


class SwitchBoardTest(unittest.TestCase):
    def test_a_name_alone_stops_every_application(self) -> None:
        self.assertEqual(stopped(["fusion"], 3), [True, True, True])

    def test_a_number_stops_one(self) -> None:
        self.assertEqual(stopped(["fusion@2"], 3), [False, True, False])

    def test_a_plus_stops_those_behind_it_too(self) -> None:
        self.assertEqual(stopped(["fusion@2+"], 3), [False, True, True])

    def test_several_numbers_add_up(self) -> None:
        self.assertEqual(stopped(["fusion@1", "fusion@3"], 3), [True, False, True])

    def test_others_are_counted_apart(self) -> None:
        off = SwitchBoard(["fusion@1"])
        self.assertFalse(off.stops("lowerings"))
        self.assertTrue(off.stops("fusion"))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
from culprit.servers.off import Off


def stopped(written: list[str], applications: int) -> list[bool]:
    off = Off(written)
    return [off.stops("fusion") for _ in range(applications)]


def test_a_name_alone_stops_every_application() -> None:
    assert stopped(["fusion"], 3) == [True, True, True]


def test_a_number_stops_one() -> None:
    assert stopped(["fusion@2"], 3) == [False, True, False]


def test_a_plus_stops_those_behind_it_too() -> None:
    assert stopped(["fusion@2+"], 3) == [False, True, True]


def test_several_numbers_add_up() -> None:
    assert stopped(["fusion@1", "fusion@3"], 3) == [True, False, True]


def test_others_are_counted_apart() -> None:
    off = Off(["fusion@1"])
    assert not off.stops("lowerings")
    assert off.stops("fusion")

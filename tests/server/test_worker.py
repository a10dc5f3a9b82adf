import os
import time

import pytest

from dormie_server.worker import MOST_WAITING, Busy, Worker


def _double(number: int) -> int:
    return 2 * number


def _die() -> None:
    os._exit(1)


def _sleep() -> None:
    time.sleep(60)


def _fail() -> None:
    raise ZeroDivisionError("a mistake of ours")


async def test_a_question_is_answered_elsewhere() -> None:
    worker = Worker()
    try:
        assert 4 == await worker.run(_double, 2)
        assert os.getpid() != await worker.run(os.getpid)
    finally:
        worker.stop()


async def test_a_process_that_dies_over_a_question_is_followed_by_another() -> None:
    worker = Worker()
    try:
        with pytest.raises(Busy):
            await worker.run(_die)
        assert 6 == await worker.run(_double, 3)
    finally:
        worker.stop()


async def test_scenario_R45_a_question_that_was_given_up_keeps_no_other_waiting() -> None:
    worker = Worker()
    try:
        with pytest.raises(ZeroDivisionError):
            await worker.run(_fail)
        with pytest.raises(Busy):
            await worker.run(_sleep, within=0.01)
        assert 2 == await worker.run(_double, 1), "the process that hangs was left behind"
    finally:
        worker.stop()


async def test_only_so_many_questions_wait() -> None:
    worker = Worker()
    worker._waiting = MOST_WAITING  # noqa: SLF001 - nobody wants to wait for that many

    with pytest.raises(Busy):
        await worker.run(_double, 1)

"""Ctrl-C and SIGTERM in a command that has something to put in order."""

import asyncio
import os
import pty
import signal
import subprocess
import sys

import pytest

from ronda_cli.failures import Terminated
from ronda_cli.interrupts import Interrupts

BOTH = pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)]
)


@BOTH
def test_plain_code_is_interrupted_where_it_stands(
    number: signal.Signals, raised: type[KeyboardInterrupt]
) -> None:
    """And what it holds is let go on the way out."""
    with pytest.raises(raised) as caught, Interrupts():
        signal.raise_signal(number)
    assert type(caught.value) is raised


@BOTH
def test_work_in_a_loop_is_cancelled_and_comes_to_its_end(
    number: signal.Signals, raised: type[KeyboardInterrupt]
) -> None:
    """What it does in its `finally`, awaits included, is done before the exception is raised."""
    done = []

    async def work() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, number)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            done.append("put in order")

    with pytest.raises(raised) as caught, Interrupts() as interrupts:
        interrupts.run(work())
    assert type(caught.value) is raised
    assert done == ["put in order"]


def test_signal_before_the_work_begins_is_not_lost() -> None:
    """It comes while the loop is being made: the work is not begun."""
    begun = []

    async def work() -> None:
        begun.append(True)

    with Interrupts() as interrupts:
        interrupts._in_loop = True
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupts.run(work())
    assert begun == []


def test_work_that_ignores_its_cancellation_is_interrupted_all_the_same() -> None:
    """Its result is not taken for a result."""

    async def work() -> int:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return 7
        return 8

    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
        interrupts.run(work())


def test_result_is_returned_and_handlers_put_back() -> None:
    """Without a signal it is `asyncio.run`, and nothing is left changed."""

    async def work() -> int:
        return 7

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with Interrupts() as interrupts:
        assert interrupts.run(work()) == 7
        assert interrupts.run(work()) == 7
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_cancellation_of_ones_own_is_no_interrupt() -> None:
    """Work that cancels itself fails as it does elsewhere."""

    async def work() -> None:
        raise asyncio.CancelledError

    with Interrupts() as interrupts, pytest.raises(asyncio.CancelledError):
        interrupts.run(work())


TWICE = """
import asyncio, signal
from ronda_cli.interrupts import Interrupts
async def work():
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()
    finally:
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()
with Interrupts() as interrupts:
    interrupts.run(work())
"""


def test_second_signal_ends_the_process_at_once() -> None:
    """Somebody who presses Ctrl-C twice does not want to wait for what never ends."""
    ran = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (-signal.SIGINT, b"")


def test_a_terminal_is_told_that_it_stops_and_gets_its_cursor_back() -> None:
    """What a bar has hidden is shown before the process ends."""
    ours, theirs = pty.openpty()
    ran = subprocess.run([sys.executable, "-c", TWICE], stderr=theirs, check=False)
    os.close(theirs)
    said = os.read(ours, 1000)
    os.close(ours)
    assert ran.returncode == -signal.SIGINT
    assert said == b"\r\nstopping; once more, and it ends at once\r\n\x1b[?25h"


def test_ignored_signal_stays_ignored() -> None:
    """As for a command in the background of a script."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

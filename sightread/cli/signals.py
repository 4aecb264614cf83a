"""Signal handling: the first signal lets open pages end, the second ends the command at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stopped(Exception):
    """The command was stopped by SIGTERM; its results so far are stored."""


@contextmanager
def stop_signals(begin: Callable[[], None], *signals: signal.Signals) -> Iterator[None]:
    """Call `begin` at the first of these signals within the block; the next one has its effect from outside the block.

    There Ctrl-C raises `KeyboardInterrupt`, and any other cancels the command.
    """
    loop, command = asyncio.get_running_loop(), asyncio.current_task()
    assert command is not None

    def act_as_ever() -> None:
        for number in signals:
            if number == signal.SIGINT:
                loop.remove_signal_handler(number)
            else:
                loop.add_signal_handler(number, command.cancel)

    def first() -> None:
        act_as_ever()
        begin()

    for number in signals:
        loop.add_signal_handler(number, first)
    try:
        yield
    finally:
        act_as_ever()

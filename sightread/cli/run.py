"""Runs a parsed command: its result is an exit code, its errors are one line each. A command's module is imported when the command runs."""

from __future__ import annotations

import argparse
import asyncio
import io
import signal
import sys
import traceback
from collections.abc import Coroutine
from contextlib import ExitStack, closing
from importlib import import_module
from typing import Any

from sightread.cli.options.error_words import worded
from sightread.cli.options.options import read_options
from sightread.cli.signals import Stopped
from sightread.render.errors import SightreadError
from sightread.render.network.http import ListeningSockets

RESUMABLE = ("learn", "crawl", "demo", "batch")


def run(parsed: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a letter still gets the others
    try:
        with ExitStack() as opened:
            return _run(_command(parsed, opened))
    except SightreadError as error:
        print(f"sightread: {worded(error, has_local=hasattr(parsed, 'local'))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return _stopped(parsed, signal.SIGINT)
    except Stopped:
        return _stopped(parsed, signal.SIGTERM)
    except BrokenPipeError:  # the reader of our output has gone
        return 128 + signal.SIGPIPE
    except Exception:  # noqa: BLE001  (outermost handler: any other error is a defect, reported with its traceback and an exit code)
        traceback.print_exc()
        print("sightread: this is a defect of sightread, not of your input; please report the lines above", file=sys.stderr)
        return SightreadError.exit_code


def _stopped(parsed: argparse.Namespace, number: signal.Signals) -> int:
    is_resumable = parsed.command in RESUMABLE or getattr(parsed, "output_dir", None)
    advice = "; the same command continues where it stopped" if is_resumable else ""
    print(f"sightread: stopped{advice}", file=sys.stderr)
    return 128 + number


def _command(parsed: argparse.Namespace, opened: ExitStack) -> Coroutine[Any, Any, int]:
    if hasattr(parsed, "port"):  # before the imports of a command that listens, which take longer than to refuse a taken port
        sockets = ListeningSockets.open(getattr(parsed, "host", "127.0.0.1"), parsed.port)
        parsed.sockets = opened.enter_context(closing(sockets))
    if "-" in (getattr(parsed, "target", ""), getattr(parsed, "urls", ""), *getattr(parsed, "targets", ())):
        parsed.standard_input = sys.stdin.buffer.read()  # before the event loop starts, which would delay Ctrl-C
    module = import_module(f"sightread.cli.{parsed.module}")
    begun: Coroutine[Any, Any, int] = getattr(module, parsed.command)(read_options(parsed.record, parsed))
    return begun


def _run(command: Coroutine[Any, Any, int]) -> int:
    """Run to the end; SIGTERM stops it as Ctrl-C does, so that the browser is closed in both cases."""

    async def stoppable() -> int:
        task = asyncio.ensure_future(command)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await task

    try:
        return asyncio.run(stoppable())
    except asyncio.CancelledError as error:
        raise Stopped from error

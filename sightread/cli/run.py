"""Runs a parsed command: its result is an exit code, its errors are one line each, and signals stop it.

A command's module is imported when the command runs. Results go to standard output, messages to standard error.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from typing import Any

import msgspec

from sightread.cli.commands import COMMANDS, MODULES
from sightread.cli.options import read_options
from sightread.document.document import Document
from sightread.document.formats import DEFAULTS, WriteOptions, write_document
from sightread.render.errors import SightreadError, StorageFailed
from sightread.render.network.http import ListeningSockets

RESUMABLE = ("learn", "crawl", "demo", "batch")
_OPTIONS = {
    **dict.fromkeys(("Click", "TypeText", "Press", "ScrollTo", "WaitFor"), "--action"),
    "Upstream": "--proxy",
    "Blocking": "--block",
    "RenderOptions: picture_of": "--picture-of",
    "RenderOptions: actions": "--action",
    "Access: headers": "--header",
    "Access: cookies": "--cookie",
    "Access: user": "--credentials",
    "Access: password": "--credentials",
    "RateLimit: at_once": "--per-host",
    "Document.chunks(): tokens": "--chunk-tokens",
    "Document.chunks(): overlap": "--chunk-overlap",
}
"""Options by the record or the field that they set; any other has the field's name."""


class Stopped(Exception):
    """The command was stopped by SIGTERM; its results so far are stored."""


def run(parsed: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a letter still gets the others
    try:
        with ExitStack() as opened:
            return _run(_command(parsed, opened))
    except SightreadError as error:
        print_message(worded(error, has_local=hasattr(parsed, "local")))
        return error.exit_code
    except KeyboardInterrupt:
        return _stopped(parsed, signal.SIGINT)
    except Stopped:
        return _stopped(parsed, signal.SIGTERM)
    except BrokenPipeError:  # the reader of our output has gone
        return 128 + signal.SIGPIPE
    except Exception:  # noqa: BLE001  (outermost handler: any other error is a defect, reported with its traceback and an exit code)
        traceback.print_exc()
        print_message("this is a defect of sightread, not of your input; please report the lines above")
        return SightreadError.exit_code


def _stopped(parsed: argparse.Namespace, number: signal.Signals) -> int:
    is_resumable = parsed.command in RESUMABLE or getattr(parsed, "output_dir", None)
    advice = "; the same command continues where it stopped" if is_resumable else ""
    print_message(f"stopped{advice}")
    return 128 + number


def _command(parsed: argparse.Namespace, opened: ExitStack) -> Coroutine[Any, Any, int | None]:
    others = dict[str, object]()
    if hasattr(parsed, "port"):  # before the imports of a command that listens, which take longer than to refuse a taken port
        sockets = ListeningSockets.open(getattr(parsed, "host", "127.0.0.1"), parsed.port)
        others["sockets"] = opened.enter_context(closing(sockets))
    if "-" in (getattr(parsed, "target", ""), getattr(parsed, "urls", ""), getattr(parsed, "sites", ""), *getattr(parsed, "targets", ())):
        others["standard_input"] = sys.stdin.buffer.read()  # before the event loop starts, which would delay Ctrl-C
    module = import_module(f"sightread.cli.{MODULES[parsed.command]}")
    begun: Coroutine[Any, Any, int | None] = getattr(module, parsed.command)(read_options(COMMANDS[parsed.command], parsed, **others))
    return begun


def _run(command: Coroutine[Any, Any, int | None]) -> int:
    """Run to the end, and return the exit code; SIGTERM stops it as Ctrl-C does, so that the browser is closed in both cases."""

    async def stoppable() -> int | None:
        task = asyncio.ensure_future(command)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await task

    try:
        return asyncio.run(stoppable()) or 0
    except asyncio.CancelledError as error:
        raise Stopped from error


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


def worded(error: SightreadError, *, has_local: bool = True) -> str:
    """Return the message of an error in the words of the command line, for a command that has `--local` or not."""
    return error.worded(_option, "; --local opens it" if has_local else "")


def worded_note(message: str) -> str:
    """Return the message of a note, with options in place of the fields that it advises."""
    return re.sub(r"\((wait_for|min_wait)\)", lambda found: f"({_option(found[1])})", message)


def _option(name: str) -> str:
    record, _, field = name.rpartition(": ")
    return _OPTIONS.get(name) or _OPTIONS.get(record) or f"--{field.replace('_', '-')}"


def formatted(document: Document, name: str, options: WriteOptions = DEFAULTS) -> str:
    """Return the document in the given output format, with a newline at its end."""
    text = write_document(document, name, options)
    return text if text.endswith("\n") or not text else text + "\n"


def explanation(document: Document) -> str:
    """Return the dropped blocks with their reasons, and the blocks kept for another reason than their probability; one per line."""
    out = [_reason_line(each.reason, each.probability, each.text) for each in document.left_out]
    kept = zip(document.reasons, document.probabilities.tolist(), document.blocks, strict=True)
    added = [_reason_line(reason, probability, block.text) for reason, probability, block in kept if reason != "probability"]
    count = f"{len(out)} of {len(document.page.blocks)}"
    lines = [f"left out: {count} blocks (reason, probability, text)\n", *out]
    if added:
        lines += [f"kept by the page's structure: {len(added)} blocks\n", *added]
    return "".join(lines)


def _reason_line(reason: str, probability: float, text: str) -> str:
    return f"{reason:>19}  {probability:.2f}  {' '.join(text.split())[:100]}\n"


def print_result(result: Mapping[str, Any], *, json: bool) -> None:
    """Print a result: one line of JSON, or a list for people."""
    if json:
        print_json(result)
        return
    for name, value in result.items():
        for item in value if isinstance(value, list) else [value] if value not in ("", None) else []:
            write(f"{name.replace('_', ' '):>16}  {item}\n")


def print_json(*records: object) -> None:
    """Print records, each as one line of JSON."""
    write("".join(msgspec.json.encode(record).decode() + "\n" for record in records))


def write(text: str) -> None:
    """Write to the standard output at once. Raises `StorageFailed` if its disk is full, `BrokenPipeError` if its reader has gone."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python tries the rest once more at its end
        if isinstance(error, BrokenPipeError):
            raise
        raise StorageFailed(f"cannot write the standard output: {error.strerror}") from error


def print_message(line: str) -> None:
    """Print a message to standard error."""
    print(f"sightread: {line}", file=sys.stderr)
